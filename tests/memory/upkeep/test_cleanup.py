from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory.maintenance.retention import Cleanup, QualityRule, find_low_quality
from memory.store.database import Database
from memory.store.lifecycle import CleanupStore
from memory.types import Origin
from tests.memory.controls.conftest import Kept

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


@pytest.fixture
def cleanup(database: Database) -> Cleanup:
    return Cleanup(CleanupStore(database))


QUALITIES: list[tuple[str, QualityRule, str | None]] = [
    ("ok", QualityRule(8), "too short"),
    ("  ok     ", QualityRule(8), "too short"),
    ("ok", QualityRule(0), None),
    ("User likes tea", QualityRule(8), None),
    ("User likes tea", QualityRule(50), "too short"),
    ("What is the capital of France?", QualityRule(8), "question"),
    ("What is the capital of France?", QualityRule(8, questions=False), None),
    ("When is Ada's recital? On Friday.", QualityRule(8), None),
]


def test_what_is_of_low_quality() -> None:
    assert [
        (content, low, got)
        for content, low, fault in QUALITIES
        if (got := low.fault_of(content)) != fault
    ] == []


async def living(kept: Kept, user_id: str) -> list[str]:
    query = "SELECT array_agg(content ORDER BY content) FROM memory_items WHERE deleted_at IS NULL"
    return await kept.value(user_id, query) or []


async def test_it_is_planned_done_and_undone(cleanup: Cleanup, kept: Kept, user_id: str) -> None:
    short = await kept.item(user_id, "ok")
    question = await kept.item(user_id, "What is the capital of France?", space="work")
    await kept.item(user_id, "User likes tea")
    low, user = QualityRule(8), Origin("user")
    before = await living(kept, user_id)
    planned = await cleanup.plan(user_id, low)
    assert {(item.id, why) for item, why in planned} == {
        (short, "too short"),
        (question, "question"),
    }
    assert await living(kept, user_id) == before
    assert await cleanup.run(user_id, low, user, NOW) == planned
    assert await living(kept, user_id) == ["User likes tea"]
    assert {name for name, _ in await kept.actions(user_id)} == {"cleaned"}
    assert await cleanup.undo(user_id, user) == 2
    assert await living(kept, user_id) == before
    assert await cleanup.undo(user_id, user) == 0


async def test_a_large_cleaning_goes_and_comes_back_batch_by_batch(
    cleanup: Cleanup, kept: Kept, user_id: str
) -> None:
    await kept.execute(
        user_id,
        "INSERT INTO memory_items (user_id, content, type)"
        " SELECT $1, 'n' || n, 'fact' FROM generate_series(1, 501) AS n",
        user_id,
    )
    assert len(await cleanup.run(user_id, QualityRule(8), Origin("user"), NOW)) == 501
    assert await living(kept, user_id) == []
    assert await cleanup.undo(user_id, Origin("user")) == 501
    assert len(await living(kept, user_id)) == 501


@pytest.mark.parametrize(
    "change",
    ["content = 'User likes tea with lemon'", "superseded_by = id", "pinned = true"],
    ids=["edited", "replaced", "pinned"],
)
async def test_what_was_changed_meanwhile_stays(
    database: Database, kept: Kept, user_id: str, change: str
) -> None:
    store = CleanupStore(database)
    await kept.item(user_id, "ok")
    planned = find_low_quality(await store.read(user_id), QualityRule(8))
    await kept.execute(user_id, f"UPDATE memory_items SET {change}")
    assert len(planned) == 1
    assert await store.clean(user_id, planned, Origin("user"), NOW) == []


async def test_an_undo_is_of_the_last_cleaning(cleanup: Cleanup, kept: Kept, user_id: str) -> None:
    user = Origin("user")
    await kept.item(user_id, "ok")
    await cleanup.run(user_id, QualityRule(8), user, NOW)
    await kept.item(user_id, "hm")
    await cleanup.run(user_id, QualityRule(8), user, NOW + timedelta(minutes=1))
    assert await cleanup.undo(user_id, user) == 1
    assert await living(kept, user_id) == ["hm"]


async def test_what_was_asked_for_and_what_is_told_of_others_stays(
    cleanup: Cleanup, kept: Kept, user_id: str
) -> None:
    other = f"{user_id}-other"
    await kept.item(user_id, "a", pinned=True)
    await kept.item(user_id, "b", manually_saved=True)
    await kept.item(user_id, "c", summary_of=[UUID(int=1)])
    await kept.item(other, "d")
    assert await cleanup.run(user_id, QualityRule(8), Origin("user"), NOW) == []
    assert await living(kept, user_id) == ["a", "b", "c"]
    assert await living(kept, other) == ["d"]
