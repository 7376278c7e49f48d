from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from app.ops.doctor_checks import (
    Finding,
    check_backlog,
    check_database,
    check_drills,
    check_roles,
    check_server,
)
from app.services import ServiceUrls
from memory.config import Settings
from memory.service import MemoryService
from memory.types import EmbeddingModel, NewMemory
from migrations.diagnosis import DatabaseBacklog, RoleInfo, ServerInfo
from migrations.runner import owner_connection
from migrations.vector_swap import VectorSchema

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SERVER = ServerInfo(180_006, "18.6", NOW, "0.8.6", "12 MB", "keepsake_owner")
APP = RoleInfo("keepsake_app", bypasses=False, may_act=True)
WORKER = RoleInfo("keepsake_worker", bypasses=False, may_act=True)
NOTHING = DatabaseBacklog(0, None, 0, 0)


def states(findings: object) -> dict[str, str]:
    assert not isinstance(findings, Finding)
    return {each.part: each.state for each in findings}  # type: ignore[attr-defined]


def test_a_server_that_is_well() -> None:
    assert states(check_server(SERVER, NOW)) == {
        "PostgreSQL": "ok",
        "pgvector": "ok",
        "clock": "ok",
    }


@pytest.mark.parametrize(
    ("changed", "part", "state"),
    [
        ({"version": 140_012}, "PostgreSQL", "broken"),
        ({"vector_version": None}, "pgvector", "broken"),
        ({"vector_version": "0.8.3"}, "pgvector", "warning"),
        ({"vector_version": "0.10.0"}, "pgvector", "ok"),
        ({"clock": NOW + timedelta(minutes=2)}, "clock", "warning"),
    ],
    ids=["old server", "no pgvector", "old pgvector", "new pgvector", "clock"],
)
def test_what_is_wrong_with_a_server(changed: dict[str, object], part: str, state: str) -> None:
    assert states(check_server(replace(SERVER, **changed), NOW))[part] == state  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("roles", "state", "found"),
    [
        ([APP, WORKER], "ok", "acts as keepsake_app and keepsake_worker"),
        ([APP], "ok", "does not act as keepsake_worker"),
        ([WORKER], "broken", "may not act as keepsake_app"),
        ([replace(APP, may_act=False), WORKER], "broken", "may not act"),
        ([replace(APP, bypasses=True), WORKER], "broken", "reads past"),
    ],
    ids=["both", "no worker", "no app", "may not", "bypasses"],
)
def test_roles(roles: list[RoleInfo], state: str, found: str) -> None:
    [first, security] = check_roles(roles, [])
    assert (first.state, security.state) == (state, "ok")
    assert found in first.found


def test_what_a_killed_drill_left_is_named() -> None:
    assert list(check_drills([])) == []
    [finding] = check_drills(["keepsake_drill_0123456789ab"])
    assert finding.state == "warning"
    assert "keepsake_drill_0123456789ab" in finding.found


def test_a_table_without_row_security_is_broken() -> None:
    *_, security = check_roles([APP, WORKER], ["messages"])
    assert security.state == "broken"
    assert "messages" in security.found


@pytest.mark.parametrize(
    ("backlog", "expected"),
    [
        (NOTHING, {"backlog": "ok", "jobs": "ok"}),
        (None, {"backlog": "ok"}),
        (DatabaseBacklog(3, NOW - timedelta(minutes=5), 0, 0), {"backlog": "ok", "jobs": "ok"}),
        (DatabaseBacklog(3, NOW - timedelta(hours=2), 0, 0), {"backlog": "warning", "jobs": "ok"}),
        (replace(NOTHING, dead_jobs=1), {"backlog": "ok", "jobs": "warning"}),
        (replace(NOTHING, other=7), {"backlog": "ok", "jobs": "ok", "old vectors": "warning"}),
    ],
    ids=["nothing", "unseen", "young", "old", "dead job", "other model"],
)
def test_what_waits(backlog: DatabaseBacklog | None, expected: dict[str, str]) -> None:
    assert states(check_backlog(backlog, NOW)) == expected


async def test_every_finding_that_is_not_ok_says_how_to_mend_it() -> None:
    worst = replace(SERVER, version=90_000, vector_version=None, clock=NOW + timedelta(days=1))
    findings = [
        *check_server(worst, NOW),
        *check_roles([], ["a"]),
        *check_backlog(DatabaseBacklog(1, NOW - timedelta(days=1), 1, 1), NOW),
    ]
    assert all(each.mend for each in findings if each.state != "ok")
    assert sum(each.state != "ok" for each in findings) == 8


@pytest.fixture
def addresses(own_database_url: str) -> ServiceUrls:
    return ServiceUrls(own_database_url, own_database_url, "", embedded_database=False)


async def look(settings: Settings, addresses: ServiceUrls) -> dict[str, Finding]:
    return {each.part: each async for each in check_database(settings, addresses)}


async def test_a_migrated_database_is_well(
    settings: Settings, addresses: ServiceUrls, memory: MemoryService, user_id: str
) -> None:
    await memory.remember_all(user_id, [NewMemory(content="User likes tea")])
    found = await look(settings, addresses)
    assert {name: each.state for name, each in found.items()} == dict.fromkeys(found, "ok")
    assert {"schema", "roles", "row security", "vectors", "backlog", "jobs"} <= set(found)


async def test_what_somebody_changed_by_hand_is_found(
    settings: Settings, addresses: ServiceUrls
) -> None:
    owner = await asyncpg.connect(addresses.database_url)
    await owner.execute("ALTER TABLE messages NO FORCE ROW LEVEL SECURITY")
    await owner.execute("UPDATE embedding_profile SET model = 'another', dimensions = 12")
    await owner.close()
    named = settings.model_copy(update={"embedding_model": "text-embedding-3-small"})
    found = await look(named, addresses)
    assert found["row security"].state == "broken"
    assert "messages" in found["row security"].found
    assert found["vectors"].state == "broken"
    assert "python -m app reembed" in found["vectors"].mend


async def test_before_the_first_vector_the_folder_may_have_been_for_any_model(
    settings: Settings, addresses: ServiceUrls
) -> None:
    embedded = replace(addresses, embedded_database=True)
    async with owner_connection(addresses.owner_url) as connection:
        await VectorSchema(connection).choose(EmbeddingModel("text-embedding-3-small", 1536))
    found = (await look(settings, embedded))["vectors"]
    first = "the first will be of keepsake-e5-small-1, 384 dimensions"
    assert (found.state, found.found) == ("ok", f"none yet; {first}")


async def test_a_folder_whose_model_cannot_be_asked_is_told_the_command(
    settings: Settings, addresses: ServiceUrls, memory: MemoryService, user_id: str
) -> None:
    await memory.remember_all(user_id, [NewMemory(content="User likes tea")])
    async with owner_connection(addresses.owner_url) as connection:
        await connection.execute("UPDATE embedding_profile SET model = 'text-embedding-3-small'")
    embedded = replace(addresses, embedded_database=True)
    found = (await look(settings, embedded))["vectors"]
    assert found.state == "broken"
    assert "python -m app reembed --model keepsake-e5-small-1" in found.mend


async def test_a_schema_that_is_behind_is_found(settings: Settings, addresses: ServiceUrls) -> None:
    owner = await asyncpg.connect(addresses.database_url)
    await owner.execute("DELETE FROM schema_migrations WHERE name = 'policies'")
    await owner.close()
    found = await look(settings, addresses)
    assert (found["schema"].state, found["schema"].mend) == ("broken", "python -m app migrate")
    assert "policies" in found["schema"].found
