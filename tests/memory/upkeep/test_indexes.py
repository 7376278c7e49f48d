from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory.maintenance.capacity import Capacity
from memory.maintenance.retention import IndexMaintenance, IndexTimes
from memory.metrics import MemoryMetrics
from memory.store.database import Database
from memory.store.memory_entries import MemoryEntryStore
from memory.store.search import MemorySearch, SearchScope
from memory.store.vectors import IndexStore
from memory.types import Origin, StoredMemory
from tests.memory.controls.conftest import Kept

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


@pytest.fixture
def indexes(database: Database) -> IndexMaintenance:
    return IndexMaintenance(IndexStore(database), IndexTimes())


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


async def has_vector(kept: Kept, user_id: str, item_id: UUID) -> bool:
    query = "SELECT embedding IS NOT NULL FROM memory_items WHERE id = $1"
    return bool(await kept.value(user_id, query, item_id))


async def test_vectors_of_what_is_long_out_of_recall_go(
    indexes: IndexMaintenance, kept: Kept, user_id: str
) -> None:
    new = await kept.item(user_id, "User lives in Bergen")
    went: list[dict[str, Any]] = [
        {"deleted_at": ago(31), "removed_because": "archived"},
        {"deleted_at": ago(31), "removed_because": "trimmed"},
        {"superseded_by": new, "valid_to": ago(366)},
    ]
    stays: list[dict[str, Any]] = [
        {"deleted_at": ago(29), "removed_because": "archived"},
        {"deleted_at": ago(31), "removed_because": "forgotten"},
        {"superseded_by": new, "valid_to": ago(364)},
        {"created_at": ago(999)},
    ]
    gone = [await kept.item(user_id, "old", **fields) for fields in went]
    left = [await kept.item(user_id, "kept", **fields) for fields in stays]
    others = await kept.item(f"{user_id}-other", "old", **went[0])
    assert await indexes.prune_vectors(user_id, NOW) == 3
    assert [await has_vector(kept, user_id, each) for each in gone] == [False] * 3
    assert [await has_vector(kept, user_id, each) for each in left] == [True] * 4
    assert await has_vector(kept, f"{user_id}-other", others)
    assert await indexes.prune_vectors(user_id, NOW) == 0
    assert await kept.actions(user_id) == [("vectors_pruned", None)]
    assert await indexes.prune_vectors(user_id, NOW, timedelta(days=1)) == 1


async def test_a_pruned_memory_that_comes_back_waits_for_a_new_vector(
    indexes: IndexMaintenance, database: Database, kept: Kept, user_id: str
) -> None:
    out = {"deleted_at": ago(31), "removed_because": "archived"}
    item = await kept.item(user_id, "User lives in Bergen", **out)
    await indexes.prune_vectors(user_id, NOW)
    waits = "SELECT needs_embedding FROM memory_items WHERE id = $1"
    assert await kept.value(user_id, waits, item) is False
    await Capacity(database, MemoryMetrics()).bring_back(user_id, item, Origin("user"))
    assert await kept.value(user_id, waits, item) is True


async def found(database: Database, user_id: str, words: str) -> set[UUID]:
    hits = await MemorySearch(database).search_by_keyword(SearchScope(user_id, NOW), words, 10)
    return {hit.id for hit in hits}


async def test_the_keyword_index_can_leave_old_single_memories_out(
    indexes: IndexMaintenance, database: Database, kept: Kept, user_id: str
) -> None:
    old = await kept.item(user_id, "Tea at four", created_at=ago(31))
    young = await kept.item(user_id, "Tea at five", created_at=ago(29))
    rolled = await kept.item(user_id, "Tea often", created_at=ago(99), summary_of=[UUID(int=1)])
    pinned = await kept.item(user_id, "Tea at six", created_at=ago(99), pinned=True)
    everything = {old, young, rolled, pinned}
    assert await found(database, user_id, "tea") == everything
    assert await indexes.level_keywords(user_id, NOW, "roll-up") == 1
    assert await found(database, user_id, "tea") == everything - {old}
    assert await indexes.level_keywords(user_id, NOW, "roll-up", timedelta(days=1)) == 1
    assert await found(database, user_id, "tea") == {rolled, pinned}
    assert await indexes.level_keywords(user_id, NOW) == 2
    assert await found(database, user_id, "tea") == everything


async def test_what_is_archived_is_not_in_the_keyword_index(database: Database) -> None:
    async with database.as_user("-") as connection:
        index = await connection.fetchval(
            "SELECT indexdef FROM pg_indexes WHERE indexname = 'idx_memory_items_content_fts'"
        )
    assert "WHERE ((deleted_at IS NULL) AND in_keywords)" in index


def _half(_item: StoredMemory) -> float:
    return 0.5


@pytest.mark.parametrize("asked", ["pinned", "brought back"])
async def test_what_its_user_asks_to_keep_is_found_by_its_words_at_once(
    database: Database, kept: Kept, user_id: str, asked: str
) -> None:
    left_out: dict[str, Any] = {"in_keywords": False}
    if asked == "pinned":
        item = await kept.item(user_id, "User likes tea", **left_out)
        await MemoryEntryStore(database).pin(
            user_id, item, Origin("user"), raised=_half, weigh=_half
        )
    else:
        out = {"deleted_at": NOW, "removed_because": "trimmed"}
        item = await kept.item(user_id, "User likes tea", **left_out, **out)
        await Capacity(database, MemoryMetrics()).bring_back(user_id, item, Origin("user"))
    assert await kept.value(user_id, "SELECT in_keywords FROM memory_items") is True
