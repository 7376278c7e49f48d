"""The searches that run past the application's policies: what they find, and their guard."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

MEMORIES = (
    "SELECT id, bm25 FROM search_memory_items('uv or pip', 'default', NULL, NULL, NULL, now(), 60"
)
MESSAGES = (
    "SELECT id, bm25 FROM search_messages"
    "('uv or pip', 'default', ARRAY['user', 'assistant'], NULL, NULL, 60)"
)
CALLS = [
    *(f"{MEMORIES}{past})" for past in ("", ", true, NULL", ", false, now()", ", true, now()")),
    MESSAGES,
    "SELECT * FROM conversations_saying('uv')",
]
TEXTS = "unnest(ARRAY['uv uv pip', 'uv on my laptop', 'a cat', 'the of'])"
KEPT = f"""
INSERT INTO memory_items (user_id, content, type) SELECT 'ada', text, 'fact' FROM {TEXTS} AS text
"""
SAID = f"""
WITH chat AS (
    INSERT INTO conversations (user_id) VALUES ('ada') RETURNING id
)
INSERT INTO messages (user_id, conversation_id, role, content, correlation_id)
SELECT 'ada', chat.id, 'user', text, gen_random_uuid() FROM chat, {TEXTS} AS text
"""


@pytest.fixture
async def owner(own_database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(own_database_url)
    try:
        yield connection
    finally:
        await connection.close()


async def as_ada(connection: asyncpg.Connection, statement: str) -> list[asyncpg.Record]:
    async with connection.transaction():
        await connection.execute("SET LOCAL ROLE keepsake_app")
        await connection.execute("SELECT set_config('app.user_id', 'ada', true)")
        return await connection.fetch(statement)


async def test_what_has_more_of_the_words_comes_first(owner: asyncpg.Connection) -> None:
    await owner.execute(KEPT)
    await owner.execute(SAID)
    for table, call in (("memory_items", f"{MEMORIES})"), ("messages", MESSAGES)):
        rows = await owner.fetch(f"SELECT id, content FROM {table}")
        texts = {row["id"]: row["content"] for row in rows}
        found = [texts[row["id"]] for row in await as_ada(owner, call)]
        assert found == ["uv uv pip", "uv on my laptop"]


async def test_a_message_that_was_never_measured_is_found_as_one_that_was(
    owner: asyncpg.Connection,
) -> None:
    await owner.execute(SAID)
    measured = await as_ada(owner, MESSAGES)
    await owner.execute("UPDATE messages SET search_length = NULL")
    unmeasured = await as_ada(owner, MESSAGES)
    assert [row["id"] for row in unmeasured] == [row["id"] for row in measured]
    for one, other in zip(measured, unmeasured, strict=True):
        assert one["bm25"] == pytest.approx(other["bm25"], abs=0.1)


@pytest.mark.parametrize("call", CALLS)
async def test_the_rows_of_another_user_do_not_exist(owner: asyncpg.Connection, call: str) -> None:
    await owner.execute(KEPT.replace("'ada'", "'eve'"))
    await owner.execute(SAID.replace("'ada'", "'eve'"))
    assert await as_ada(owner, call) == []
    await owner.execute("SET ROLE keepsake_app")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="user_id is not set"):
        await owner.fetch(call)


@pytest.mark.parametrize(
    "function", ["search_memory_items", "search_messages", "conversations_saying"]
)
async def test_the_search_is_guarded(database_url: str, function: str) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        [made] = await connection.fetch(
            """
            SELECT p.prosecdef, p.proconfig, owner.rolname AS owner,
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
