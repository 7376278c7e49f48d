"""`python -m app keys`: API keys are made, listed and revoked."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from shlex import quote
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from app.api.auth.api_keys import key_digest, make_key
from app.console import Progress
from app.runner import CliCommand, Shutdown
from app.services import open_services, prepare_schema
from memory.config import Settings
from memory.errors import InvalidInput
from memory.store.credentials import MAX_NAME_CHARS, ApiKey, ApiKeyStore, KeyName
from memory.store.database import Database

NEVER = "never"
LONGEST = timedelta(days=3650)
_DURATION = re.compile(r"(?P<number>[0-9]{1,6})(?P<unit>[hdw])", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_duration(text: str) -> timedelta | None:
    """ "12h", "90d" and "4w"; None for "never". Raises InvalidInput for anything else, for nothing
    at all, and for more than ten years."""
    if text == NEVER:
        return None
    found = _DURATION.fullmatch(text)
    if found is None:
        raise InvalidInput(
            reason="A duration is a number with h, d or w (12h, 90d, 4w), or the word never."
        )
    duration = int(found["number"]) * _UNITS[found["unit"]]
    if not timedelta(0) < duration <= LONGEST:
        raise InvalidInput(reason="A duration is more than nothing, and at most 3650d.")
    return duration


_NAME = TypeAdapter(KeyName)


def add_key(name: str, expires: str) -> CliCommand:
    """The key alone goes to stdout, what is to be said of it to stderr. Raises InvalidInput for a
    name or a duration that is none, before anything is started."""
    lasting = parse_duration(expires)
    called = _name(name)

    async def add(settings: Settings, _leaving: Shutdown) -> int:
        key = make_key()
        ends = None if lasting is None else datetime.now(UTC) + lasting
        async with _keys(settings) as keys:
            added = await keys.add(settings.keepsake_user, key_digest(key), called, ends)
        print(key.get_secret_value(), flush=True)  # noqa: T201
        _print_note(f"The key of {settings.keepsake_user} named {called}, {_end(added)}.")
        _print_note("It is shown this once. To take it back:")
        _print_note(
            f"    python -m app keys revoke {added.id} --user {quote(settings.keepsake_user)}"
        )
        if settings.auth_mode != "token":
            _print_note(
                f"It opens nothing as long as AUTH_MODE is {settings.auth_mode}: set it to token."
            )
        return 0

    return add


async def list_keys(settings: Settings, _leaving: Shutdown) -> int:
    """A line for each key of the user, on stdout alone. The program's login of the database sees
    the rows of one user at a time, so there is no list of everybody's."""
    async with _keys(settings) as keys:
        found = await keys.read_all(settings.keepsake_user)
    now = datetime.now(UTC)
    for key in found:
        print(key_line(key, now))  # noqa: T201
    whose = settings.keepsake_user
    _print_note(f"These are the keys of {whose}." if found else f"{whose} has no key.")
    _print_note("Those of somebody else: python -m app keys list --user NAME")
    return 0


def revoke_key(key_id: UUID) -> CliCommand:
    async def revoke(settings: Settings, _leaving: Shutdown) -> int:
        async with _keys(settings) as keys:
            revoked = await keys.revoke(settings.keepsake_user, key_id)
        print(f"Revoked {revoked.id} ({revoked.name}); who signed in with it is signed out.")  # noqa: T201
        return 0

    return revoke


def key_line(key: ApiKey, now: datetime) -> str:
    """Id, name, state, when it was made, and when it was last used."""
    used = "never used" if key.last_used_on is None else f"last used {key.last_used_on}"
    made = f"made {key.created_at:%Y-%m-%d}"
    return "  ".join([str(key.id), key.name, _state(key, now), made, used])


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    return _end(key) if key.is_living(now) else f"expired {key.expires_at:%Y-%m-%d}"


def _end(key: ApiKey) -> str:
    if key.expires_at is None:
        return "good until it is revoked"
    return f"good until {key.expires_at:%Y-%m-%d %H:%M} UTC"


def _name(text: str) -> str:
    try:
        return _NAME.validate_python(text)
    except ValidationError:
        raise InvalidInput(
            reason=f"The name of a key has 1 to {MAX_NAME_CHARS} printable characters."
        ) from None


@asynccontextmanager
async def _keys(settings: Settings) -> AsyncIterator[ApiKeyStore]:
    """On the database alone, which is made ready where it is the embedded one."""
    progress = Progress()
    async with open_services(settings, progress) as (addresses, _services):
        await prepare_schema(addresses, settings)
        database = await Database.open(addresses.database_url, connections=1)
        try:
            yield ApiKeyStore(database)
        finally:
            await database.close()


def _print_note(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201
