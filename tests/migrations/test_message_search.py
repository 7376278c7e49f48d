"""Migration 0006 on a database with messages in it, and the guard of its search and of 0010's."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from memory.local_services.services import ServiceAddresses
from migrations.runner import load_migrations, migrate
from migrations.scratch import scratch_database
from tests.conftest import PROFILE

CALL = (
    "SELECT id, bm25 FROM search_messages"
    "('uv or pip', 'default', ARRAY['user', 'assistant'], NULL, NULL, 60)"
)
LISTED = "SELECT * FROM conversations_saying('uv')"
SAID = """
WITH chat AS (
    INSERT INTO conversations (user_id) VALUES ('ada') RETURNING id
)
INSERT INTO messages (user_id, conversation_id, role, content, correlation_id)
SELECT 'ada', chat.id, 'user', text, gen_random_uuid()
FROM chat, unnest(ARRAY['uv uv pip', 'uv on my laptop', 'a cat', 'the of']) AS text
"""


@pytest.fixture
async def before_url(services: ServiceAddresses) -> AsyncIterator[str]:
    """A database as 0005 left it."""
    async with scratch_database(services.database_url, prefix="empty") as url:
        await migrate(url, PROFILE, load_migrations()[:5])
        yield url


async def as_ada(connection: asyncpg.Connection, statement: str) -> list[asyncpg.Record]:
    async with connection.transaction():
        await connection.execute("SET LOCAL ROLE keepsake_app")
        await connection.execute("SELECT set_config('app.user_id', 'ada', true)")
        return await connection.fetch(statement)


async def test_what_was_said_before_is_found_as_what_is_said_now(
    before_url: str, own_database_url: str
) -> None:
    """The rows are not written anew, and score nearly as they do where they were measured."""
    old, new = await asyncpg.connect(before_url), await asyncpg.connect(own_database_url)
    try:
        await old.execute(SAID)
        places = "SELECT ctid FROM messages ORDER BY position"
        before = await old.fetch(places)
        assert "message_search" in await migrate(before_url, PROFILE)
        assert await old.fetch(places) == before
        assert await old.fetchval("SELECT count(search_length) FROM messages") == 0
        await new.execute(SAID)
        assert await new.fetchval("SELECT count(search_length) FROM messages") == 4
        scores = [[row["bm25"] for row in await as_ada(each, CALL)] for each in (old, new)]
        assert scores[0] == pytest.approx(scores[1], abs=0.1)
        assert len(scores[0]) == 2
    finally:
        await old.close()
        await new.close()


@pytest.mark.parametrize("function", ["search_messages", "conversations_saying"])
async def test_the_search_is_guarded(database_url: str, function: str) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        [made] = await connection.fetch(
            """
            SELECT p.prosecdef, p.provolatile, p.proconfig, owner.rolname AS owner,
                   has_function_privilege('keepsake_app', p.oid, 'EXECUTE') AS application,
                   has_function_privilege('keepsake_worker', p.oid, 'EXECUTE') AS worker,
                   has_function_privilege('public', p.oid, 'EXECUTE') AS everybody,
                   has_schema_privilege('keepsake_search', 'public', 'CREATE') AS may_create,
                   has_column_privilege('keepsake_search', 'messages', 'content', 'SELECT') AS words
            FROM pg_proc AS p JOIN pg_roles AS owner ON owner.oid = p.proowner
            WHERE p.proname = $1
            """,
            function,
        )
    finally:
        await connection.close()
    assert made["prosecdef"]
    assert made["owner"] == "keepsake_search"
    assert sorted(made["proconfig"]) == [
        "plan_cache_mode=force_custom_plan",
        "search_path=pg_catalog, public, pg_temp",
    ]
    assert made["application"]
    assert not (made["worker"] or made["everybody"] or made["may_create"] or made["words"])


@pytest.mark.parametrize("call", [CALL, LISTED])
async def test_another_users_messages_do_not_exist(own_database_url: str, call: str) -> None:
    connection = await asyncpg.connect(own_database_url)
    try:
        await connection.execute(SAID.replace("'ada'", "'eve'"))
        assert await as_ada(connection, call) == []
        await connection.execute("SET ROLE keepsake_app")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="user_id is not set"):
            await connection.fetch(call)
    finally:
        await connection.close()
