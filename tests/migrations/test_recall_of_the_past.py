"""Migration 0005 on a database with memories in it: the old search answers as before, guarded."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from memory.local_services.services import ServiceAddresses
from migrations.runner import load_migrations, migrate
from migrations.scratch import scratch_database
from tests.conftest import PROFILE

OLD_CALL = "SELECT * FROM search_memory_items('uv or pip', 'default', NULL, NULL, NULL, now(), 60)"
TEXTS = ["uv uv pip", "uv on my laptop", "pip pip", "a cat", "the of"]


@pytest.fixture
async def before_url(services: ServiceAddresses) -> AsyncIterator[str]:
    """A database as 0004 left it."""
    async with scratch_database(services.database_url, prefix="empty") as url:
        await migrate(url, PROFILE, load_migrations()[:4])
        yield url


async def as_ada(connection: asyncpg.Connection, statement: str) -> list[asyncpg.Record]:
    async with connection.transaction():
        await connection.execute("SET LOCAL ROLE keepsake_app")
        await connection.execute("SELECT set_config('app.user_id', 'ada', true)")
        return await connection.fetch(statement)


async def test_the_search_answers_as_before(before_url: str) -> None:
    connection = await asyncpg.connect(before_url)
    try:
        for text in TEXTS:
            await connection.execute(
                "INSERT INTO memory_items (user_id, content, type) VALUES ('ada', $1, 'fact')", text
            )
        before = await as_ada(connection, OLD_CALL)
        assert "recall_of_the_past" in await migrate(before_url, PROFILE)
        assert await as_ada(connection, OLD_CALL) == before
        assert len(before) == 3
    finally:
        await connection.close()


async def test_the_search_is_guarded_as_before(before_url: str) -> None:
    await migrate(before_url, PROFILE)
    connection = await asyncpg.connect(before_url)
    try:
        [made] = await connection.fetch(
            """
            SELECT p.prosecdef, p.provolatile, p.proconfig, owner.rolname AS owner,
                   has_function_privilege('keepsake_app', p.oid, 'EXECUTE') AS application,
                   has_function_privilege('keepsake_worker', p.oid, 'EXECUTE') AS worker,
                   has_function_privilege('public', p.oid, 'EXECUTE') AS everybody,
                   has_schema_privilege('keepsake_search', 'public', 'CREATE') AS may_create
            FROM pg_proc AS p JOIN pg_roles AS owner ON owner.oid = p.proowner
            WHERE p.proname = 'search_memory_items'
            """
        )
        assert made["prosecdef"]
        assert made["owner"] == "keepsake_search"
        assert sorted(made["proconfig"]) == [
            "plan_cache_mode=force_custom_plan",
            "search_path=pg_catalog, public, pg_temp",
        ]
        assert made["application"]
        assert not (made["worker"] or made["everybody"] or made["may_create"])
    finally:
        await connection.close()


@pytest.mark.parametrize("asked", ["true, NULL", "false, now()", "true, now()"])
async def test_another_users_past_does_not_exist(own_database_url: str, asked: str) -> None:
    connection = await asyncpg.connect(own_database_url)
    call = (
        "SELECT * FROM search_memory_items('uv', 'default', NULL, NULL, NULL, now(), 60, " + asked
    )
    try:
        await connection.execute(
            "INSERT INTO memory_items (user_id, content, type) VALUES ('eve', 'uv', 'fact')"
        )
        assert await as_ada(connection, call + ")") == []
        await connection.execute("SET ROLE keepsake_app")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="user_id is not set"):
            await connection.fetch(call + ")")
    finally:
        await connection.close()
