from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from memory.errors import Incognito
from memory.maintenance.capacity import plan_trim
from memory.store.database import Database
from memory.store.memories import (
    EmbeddedMemory,
    MemoryStore,
    MemoryUsage,
    StoredScores,
    UsageDelta,
    read_capacity_rows,
)
from memory.types import NewMemory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SCORES = StoredScores(0.9, 0.2, 0.3, 1.4, NOW)
ONCE = UsageDelta(1, SCORES)
DAY = timedelta(days=1)


async def save(database: Database, user_id: str, content: str = "tea", **fields: Any) -> UUID:
    new = EmbeddedMemory(NewMemory(content=content, **fields), None, None)
    return (await MemoryStore(database).save(user_id, new)).id


async def rows(database: Database, user_id: str) -> dict[UUID, asyncpg.Record]:
    async with database.as_user(user_id) as connection:
        found = await connection.fetch("SELECT * FROM memory_usage")
    return {row["item_id"]: row for row in found}


async def test_the_first_recall_makes_the_row_and_the_next_adds_to_it(
    database: Database, user_id: str
) -> None:
    item_id = await save(database, user_id)
    usage = MemoryUsage(database)
    await usage.note(user_id, {item_id: ONCE})
    later = replace(SCORES, relevance=0.1, total=0.6, computed_at=NOW + DAY)
    await usage.note(user_id, {item_id: UsageDelta(3, later)})
    row = (await rows(database, user_id))[item_id]
    assert (row["access_count"], row["last_accessed_at"]) == (4, NOW + DAY)
    assert json.loads(row["last_scores"]) == {
        "relevance": 0.1,
        "recency": 0.2,
        "importance": 0.3,
        "total": 0.6,
        "computed_at": "2026-06-02T12:00:00+00:00",
    }


async def test_an_older_recall_counts_but_does_not_turn_back_the_scores(
    database: Database, user_id: str
) -> None:
    item_id = await save(database, user_id)
    usage = MemoryUsage(database)
    await usage.note(user_id, {item_id: ONCE})
    await usage.note(
        user_id, {item_id: UsageDelta(1, replace(SCORES, total=9, computed_at=NOW - DAY))}
    )
    row = (await rows(database, user_id))[item_id]
    assert (row["access_count"], row["last_accessed_at"]) == (2, NOW)
    assert json.loads(row["last_scores"])["total"] == 1.4


async def test_what_is_gone_does_not_keep_the_rest_out(database: Database, user_id: str) -> None:
    kept, forgotten = await save(database, user_id), await save(database, user_id, "milk")
    strange = await save(database, f"{user_id}-other")
    await MemoryStore(database).delete(user_id, forgotten)
    used = dict.fromkeys([uuid4(), forgotten, strange, kept], ONCE)
    await MemoryUsage(database).note(user_id, used)
    assert set(await rows(database, user_id)) == {kept}
    assert await rows(database, f"{user_id}-other") == {}


async def test_what_is_erased_while_it_is_written_does_not_either(
    database: Database, user_id: str
) -> None:
    kept, erased = await save(database, user_id), await save(database, user_id, "milk")
    async with database.as_user(user_id) as eraser:
        await eraser.execute("DELETE FROM memory_items WHERE id = $1", erased)
        pid = await eraser.fetchval("SELECT pg_backend_pid()")
        noting = asyncio.create_task(
            MemoryUsage(database).note(user_id, dict.fromkeys([kept, erased], ONCE))
        )
        await someone_waits_for(eraser, pid)
    await noting
    assert set(await rows(database, user_id)) == {kept}


async def someone_waits_for(connection: Any, pid: int) -> None:
    waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE $1 = ANY (pg_blocking_pids(pid)))"
    async with asyncio.timeout(60):
        while not await connection.fetchval(waiting, pid):
            pass


async def test_the_memories_themselves_are_not_touched(database: Database, user_id: str) -> None:
    item_id = await save(database, user_id)
    where = "SELECT xmin, ctid FROM memory_items WHERE id = $1"
    async with database.as_user(user_id) as connection:
        before = await connection.fetchrow(where, item_id)
    await MemoryUsage(database).note(user_id, {item_id: ONCE})
    async with database.as_user(user_id) as connection:
        assert await connection.fetchrow(where, item_id) == before


async def test_an_incognito_conversation_leaves_no_trace(database: Database, user_id: str) -> None:
    item_id = await save(database, user_id)
    assert MemoryUsage(database).is_writable
    for access in ("read", "none"):
        usage = MemoryUsage(database.with_access(access))
        assert not usage.is_writable
        with pytest.raises(Incognito):
            await usage.note(user_id, {item_id: ONCE})
    assert await rows(database, user_id) == {}


async def test_the_capacity_reads_them_for_a_day_and_then_forgets_the_relevance(
    database: Database, user_id: str
) -> None:
    created = NOW - 60 * DAY
    recalled = await save(database, user_id, importance=0.1, created_at=created)
    other = await save(database, user_id, "milk", importance=0.5, created_at=created)
    await MemoryUsage(database).note(user_id, {recalled: UsageDelta(1, SCORES)})
    async with database.as_user(user_id) as connection:
        weighed = await read_capacity_rows(connection, user_id, "default")
    assert {row.id: row.last_scores for row in weighed} == {recalled: SCORES, other: None}

    def victim(now: datetime) -> UUID:
        [gone] = plan_trim(weighed, cap=1, strategy="lowest_score", now=now).ids
        return gone

    assert victim(NOW + timedelta(hours=23)) == other
    assert victim(NOW + timedelta(hours=25)) == recalled


async def test_the_later_scores_hold_when_two_are_put_together() -> None:
    later = replace(SCORES, total=0.7, computed_at=NOW + DAY)
    assert ONCE.then(UsageDelta(2, later)) == UsageDelta(3, later)
    assert UsageDelta(2, later).then(ONCE) == UsageDelta(3, later)
