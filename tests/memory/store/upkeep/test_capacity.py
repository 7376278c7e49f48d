from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from memory.store.database import Database
from memory.store.memories import (
    EmbeddedMemory,
    MemoryStore,
    StoredScores,
    parse_scores,
    read_capacity_rows,
    trim_memories,
    write_scores,
)
from memory.types import NewMemory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SCORES = StoredScores(0.1, 0.2, 0.3, 0.6, NOW)


async def save(database: Database, user_id: str, content: str, **fields: Any) -> UUID:
    new = EmbeddedMemory(NewMemory(content=content, **fields), None, None)
    return (await MemoryStore(database).save(user_id, new)).id


async def test_a_row_holds_what_a_memory_is_weighed_by(database: Database, user_id: str) -> None:
    item_id = await save(database, user_id, "tea", importance=0.7, pinned=True, created_at=NOW)
    await save(database, user_id, "elsewhere", space="work")
    async with database.as_user(user_id) as connection:
        [bare] = await read_capacity_rows(connection, user_id, "default")
        await write_scores(connection, user_id, {item_id: SCORES})
        [row] = await read_capacity_rows(connection, user_id, "default")
    assert (bare.id, bare.created_at, bare.importance) == (item_id, NOW, 0.7)
    assert (bare.protected, bare.last_accessed_at, bare.last_scores) == (True, None, None)
    assert row.last_scores == SCORES


async def test_scores_replace_the_older_ones_and_nothing_else(
    database: Database, user_id: str
) -> None:
    item_id = await save(database, user_id, "tea")
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_usage (user_id, item_id, access_count, last_accessed_at) "
            "VALUES ($1, $2, 3, $3)",
            user_id,
            item_id,
            NOW,
        )
        await write_scores(connection, user_id, {item_id: SCORES})
        [row] = await read_capacity_rows(connection, user_id, "default")
        count = await connection.fetchval("SELECT access_count FROM memory_usage")
    assert (row.last_scores, row.last_accessed_at, count) == (SCORES, NOW, 3)


async def test_a_memory_that_was_pinned_meanwhile_is_not_trimmed(
    database: Database, user_id: str
) -> None:
    pinned = await save(database, user_id, "pinned", pinned=True)
    saved = await save(database, user_id, "saved", manually_saved=True)
    plain = await save(database, user_id, "plain")
    async with database.as_user(user_id) as connection:
        assert await trim_memories(connection, user_id, [pinned, saved, plain], NOW) == [plain]
        assert await trim_memories(connection, user_id, [plain], NOW) == []


NO_SCORES: list[str | None] = [
    None,
    "null",
    "[]",
    "{}",
    '{"relevance": 0, "recency": 0, "importance": 0, "total": 0}',
    '{"relevance": "x", "recency": 0, "importance": 0, "total": 0, "computed_at": "x"}',
    '{"relevance": 0, "recency": 0, "importance": 0, "total": 0, "computed_at": "2026-06-01"}',
]


def test_what_is_no_score_counts_as_none() -> None:
    assert [
        (stored, got) for stored in NO_SCORES if (got := parse_scores(stored)) is not None
    ] == []
