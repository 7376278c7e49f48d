"""`python -m app keys`, as a person at a terminal has it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from app.api.auth.modes import check_auth_settings
from app.ops.api_keys import add_key, key_line
from memory.config import Settings
from memory.errors import InvalidInput, InvalidSettings
from memory.local_services.services import ServiceAddresses
from memory.store.credentials import ApiKey
from tests.app.program import MakeProgram, Program

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
ID = uuid4()


def key(**changed: object) -> ApiKey:
    made = {"id": ID, "name": "laptop", "created_at": NOW, "expires_at": NOW.replace(year=2027)}
    never = {"revoked_at": None, "last_used_on": None}
    return ApiKey.model_validate(made | never | changed)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "good until 2027-11-22 09:30 UTC  made 2026-11-22  never used"),
        ({"expires_at": None}, "good until it is revoked  made 2026-11-22  never used"),
        ({"expires_at": NOW}, "expired 2026-11-22  made 2026-11-22  never used"),
        ({"revoked_at": NOW}, "revoked 2026-11-22  made 2026-11-22  never used"),
        ({"last_used_on": NOW.date()}, "good until 2027-11-22 09:30 UTC  made 2026-11-22  last "),
    ],
)
def test_a_key_in_a_line(changed: dict[str, object], said: str) -> None:
    assert key_line(key(**changed), NOW).startswith(f"{ID}  laptop  {said}")


def test_a_key_is_made_listed_and_revoked(
    tmp_path: Path, own_database_url: str, services: ServiceAddresses
) -> None:
    program = Program(tmp_path, DATABASE_URL=own_database_url, REDIS_URL=services.redis_url)
    added = program.run("keys", "add", "--user", "ada", "--name", "laptop", code=0)
    made = added.stdout.strip()
    assert re.fullmatch(r"ks_[A-Za-z0-9_-]{43}", made)
    assert made not in added.stderr
    [key_id] = re.findall(r"revoke ([0-9a-f-]{36}) --user ada", added.stderr)

    told = program.run("keys", "list", "--user", "ada", code=0)
    assert "keys of ada" in told.stderr
    assert "keys list --user NAME" in told.stderr
    listed = told.stdout
    assert listed.startswith(f"{key_id}  laptop  good until ")
    assert made not in listed
    assert program.run("keys", "list", "--user", "eve", code=0).stdout == ""

    refused = program.run("keys", "revoke", key_id, "--user", "eve", code=1)
    assert "There is no such key of this user" in refused.stderr
    assert key_id in program.run("keys", "revoke", key_id, "--user", "ada", code=0).stdout
    log = (program.home / "logs" / "keepsake.log").read_text()
    assert made not in log


@pytest.mark.parametrize(
    ("name", "expires", "said"),
    [
        ("laptop", "soon", "A duration is a number with h, d or w"),
        ("laptop", "0d", "A duration is more than nothing"),
        ("", "90d", "1 to 100 printable characters"),
        ("a\nb", "90d", "1 to 100 printable characters"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_started(
    name: str, expires: str, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        add_key(name, expires)


def test_the_mode_local_does_not_start_where_others_reach_it(make_program: MakeProgram) -> None:
    ended = make_program(SERVE_HOST="0.0.0.0").run("serve", code=1)
    assert "SERVE_HOST=0.0.0.0 is not this machine's loopback address alone" in ended.stderr
    assert "token (API keys), jwt (an identity provider) or proxy" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_mode_without_what_it_needs_is_said_at_the_start(make_program: MakeProgram) -> None:
    ended = make_program(AUTH_MODE="proxy").run("serve", code=2)
    assert "AUTH_MODE=proxy needs PROXY_ADDRESSES" in ended.stderr
    assert ended.stderr.count("\n") == 1


async def test_a_file_of_keys_that_is_none_is_said_at_the_start(
    tmp_path: Path, settings: Settings
) -> None:
    named = {"auth_mode": "jwt", "jwt_jwks_file": tmp_path / "keys.json"}
    for content, said in ((None, "No such file"), (b"{}", "it is no JWK set")):
        if content is not None:
            (tmp_path / "keys.json").write_bytes(content)
        with pytest.raises(InvalidSettings, match=said):
            await check_auth_settings(settings.model_copy(update=named))
