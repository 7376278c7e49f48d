from __future__ import annotations

import asyncio
import json
import math
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, get_args
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import NotFound
from memory.maintenance.capacity import Capacity, PruneStrategy, plan_trim
from memory.metrics import MemoryMetrics
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.memories import CapacityRow, EmbeddedMemory, MemoryStore, StoredScores
from memory.types import NewMemory, Origin

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
UPKEEP = Origin("upkeep")
STRATEGIES: tuple[PruneStrategy, ...] = get_args(PruneStrategy)


def row(days: float = 0.0, **fields: Any) -> CapacityRow:
    given: dict[str, Any] = {
        "id": uuid4(),
        "created_at": NOW - timedelta(days=days),
        "importance": 0.5,
    }
    return CapacityRow(**given | fields)


def scored(total: float, hours: float = 0.0, relevance: float = 0.0) -> StoredScores:
    return StoredScores(relevance, 0.0, 0.0, total, NOW - timedelta(hours=hours))


def victims(rows: list[CapacityRow], cap: int, strategy: PruneStrategy) -> tuple[UUID, ...]:
    return plan_trim(rows, cap=cap, strategy=strategy, now=NOW).ids


def test_up_to_the_cap_nothing_goes() -> None:
    assert plan_trim([row(), row()], cap=2, strategy="fifo", now=NOW).ids == ()


def test_the_lowest_total_goes_first() -> None:
    low, high = row(0, last_scores=scored(0.1)), row(99, last_scores=scored(2.0))
    assert victims([high, low], 1, "lowest_score") == (low.id,)


def test_missing_and_stale_scores_are_recomputed_from_age_and_importance() -> None:
    fresh = row(7, last_scores=scored(0.6, hours=23), importance=1.0)
    stale = row(7, last_scores=scored(9.0, hours=25), importance=0.5)
    missing = row(14, importance=0.9)
    chosen = plan_trim([fresh, stale, missing], cap=1, strategy="lowest_score", now=NOW)
    assert chosen.ids == (fresh.id, stale.id)
    assert chosen.scores == {
        stale.id: StoredScores(0.0, math.exp(-1), 0.5, math.exp(-1) + 0.5, NOW),
        missing.id: StoredScores(0.0, math.exp(-2), 0.9, math.exp(-2) + 0.9, NOW),
    }


def test_the_first_in_goes_first_out() -> None:
    old, new = row(5, importance=1.0, last_scores=scored(3.0)), row(1, importance=0.0)
    assert victims([new, old], 1, "fifo") == (old.id,)


def test_the_least_relevant_goes_first_and_a_new_one_stays() -> None:
    recalled = row(50, last_accessed_at=NOW, last_scores=scored(2, relevance=0.8))
    useless = row(50, last_accessed_at=NOW, last_scores=scored(2, relevance=0.1))
    new = row(0)
    assert victims([new, recalled, useless], 1, "least_relevant") == (useless.id, recalled.id)


def test_the_one_that_was_not_accessed_for_longest_goes_first() -> None:
    recalled = row(50, last_accessed_at=NOW - timedelta(hours=1))
    never = row(3)
    assert victims([recalled, never], 1, "oldest_accessed") == (never.id,)


def test_a_protected_memory_stays_and_is_reported() -> None:
    for strategy, flag in product(STRATEGIES, ("pinned", "manually_saved")):
        kept, other = row(9, importance=0.0, **{flag: True}), row(1)
        chosen = plan_trim([kept, other], cap=1, strategy=strategy, now=NOW)
        assert (chosen.ids, chosen.spared) == ((other.id,), (kept.id,)), (strategy, flag)


def test_the_overage_goes_in_whole_batches() -> None:
    rows = [row(days) for days in range(205)]
    ids = plan_trim(rows, cap=200, strategy="fifo", now=NOW, batch=10).ids
    assert ids == tuple(each.id for each in reversed(rows[-10:]))


def test_a_batch_does_not_empty_a_small_cap() -> None:
    rows = [row(days) for days in range(6)]
    assert len(plan_trim(rows, cap=5, strategy="fifo", now=NOW, batch=10).ids) == 1


def test_whoever_saved_more_than_the_cap_by_hand_still_keeps_what_is_learned() -> None:
    saved = [row(days, manually_saved=True) for days in range(600)]
    learned = [row(0.1 * number) for number in range(20)]
    assert victims([*saved, *learned], 200, "lowest_score") == ()
    oldest = row(50)
    assert victims([*saved, *learned, oldest], 200, "fifo") == (oldest.id,)


ROWS = st.lists(
    st.builds(
        CapacityRow,
        id=st.uuids(),
        created_at=st.timedeltas(timedelta(days=-2), timedelta(days=900)).map(
            lambda age: NOW - age
        ),
        importance=st.floats(0, 1),
        pinned=st.booleans(),
        manually_saved=st.booleans(),
        last_accessed_at=st.none() | st.just(NOW),
        last_scores=st.none()
        | st.builds(
            StoredScores,
            relevance=st.floats(0, 1),
            recency=st.floats(0, 1),
            importance=st.floats(0, 1),
            total=st.floats(0, 3),
            computed_at=st.just(NOW) | st.just(NOW - timedelta(days=2)),
        ),
    ),
    max_size=40,
    unique_by=lambda each: each.id,
)


@given(ROWS, st.integers(1, 30), st.sampled_from(STRATEGIES), st.integers(1, 20))
def test_no_protected_one_goes_and_the_cap_is_kept_where_it_can_be(
    rows: list[CapacityRow], cap: int, strategy: PruneStrategy, batch: int
) -> None:
    chosen = plan_trim(rows, cap=cap, strategy=strategy, now=NOW, batch=batch)
    protected = {each.id for each in rows if each.protected}
    assert not protected & set(chosen.ids)
    assert len(set(chosen.ids)) == len(chosen.ids)
    assert set(chosen.spared) <= protected
    left = len(rows) - len(chosen.ids)
    assert left <= max(cap, len(protected) + cap // 10)
    assert left - len(protected) >= min(cap // 10, len(rows) - len(protected))
    if len(rows) > cap:
        assert left > cap - batch or left >= len(protected) == left
    else:
        assert not chosen.ids


@given(ROWS, st.integers(1, 30), st.sampled_from(STRATEGIES))
def test_the_order_of_the_rows_does_not_matter(
    rows: list[CapacityRow], cap: int, strategy: PruneStrategy
) -> None:
    assert victims(rows, cap, strategy) == victims(rows[::-1], cap, strategy)


async def save(database: Database, user_id: str, content: str, **fields: Any) -> UUID:
    new = EmbeddedMemory(NewMemory(content=content, **fields), None, None)
    return (await MemoryStore(database).save(user_id, new)).id


def capacity(
    database: Database, counters: MemoryMetrics | None = None, cap: int = 3, **options: Any
) -> Capacity:
    return Capacity(database, counters or MemoryMetrics(), cap=cap, **options)


async def test_how_many_are_above_the_cap_is_what_is_trimmed(
    database: Database, user_id: str
) -> None:
    """In all spaces, and without what nothing may trim."""
    keeper = capacity(database, cap=3, batch=1)
    for number in range(6):
        await save(database, user_id, f"User owns kayak {number}")
        await save(database, user_id, f"User owns lamp {number}", space="work", pinned=number > 1)
        await save(database, user_id, f"User owns clock {number}", space="home", pinned=True)
    await save(database, user_id, "User owns a tent", space="garden")
    assert await keeper.above(user_id) == 3 + 2
    gone = [
        len((await keeper.enforce(user_id, space, origin=Origin("upkeep"))).ids)
        for space in ("default", "work", "home", "garden")
    ]
    assert gone == [3, 2, 0, 0]
    assert await keeper.above(user_id) == 0


async def test_the_space_is_brought_back_to_its_cap(database: Database, user_id: str) -> None:
    now = datetime.now(UTC)
    ids = [
        await save(database, user_id, f"memory {day}", created_at=now - timedelta(days=day))
        for day in range(5)
    ]
    elsewhere = [
        await save(database, whose, f"memory {number}", space=space)
        for whose, space in ((user_id, "work"), (f"{user_id}-other", "default"))
        for number in range(4)
    ]
    counters = MemoryMetrics()
    trimmed = await capacity(database, counters).enforce(user_id, "default", origin=UPKEEP)
    assert trimmed.ids == (ids[4], ids[3])
    assert [each.id for each in await MemoryStore(database).list_recent(user_id)] == ids[:3]
    assert await MemoryStore(database).count(user_id, "work") == 4
    assert await MemoryStore(database).count(f"{user_id}-other") == 4
    assert len(elsewhere) == 8
    assert (
        counters.registry.get_sample_value(
            "keepsake_memories_pruned_total", {"strategy": "lowest_score"}
        )
        == 2
    )
    again = await capacity(database, counters).enforce(user_id, "default", origin=UPKEEP)
    assert again.ids == ()


async def test_a_trim_is_audited_and_says_why_it_went(database: Database, user_id: str) -> None:
    now = datetime.now(UTC)
    old = await save(database, user_id, "old", created_at=now - timedelta(days=1))
    for number in range(3):
        await save(database, user_id, f"memory {number}")
    await capacity(database, strategy="fifo").enforce(user_id, "default", origin=UPKEEP)
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            "SELECT deleted_at, removed_because FROM memory_items WHERE id = $1", old
        )
    assert row is not None
    assert row["deleted_at"] is not None
    assert row["removed_because"] == "trimmed"
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.actor, entry.item_id) == ("trimmed", "upkeep", old)
    assert entry.detail == {"strategy": "fifo"}


async def test_recomputed_scores_are_stored_and_used_for_a_day(
    database: Database, user_id: str
) -> None:
    now = datetime.now(UTC)
    ids = [
        await save(database, user_id, f"memory {n}", created_at=now - timedelta(days=7))
        for n in range(2)
    ]
    await capacity(database, cap=1).enforce(user_id, "default", origin=UPKEEP, now=now)
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT item_id, last_scores FROM memory_usage")
    assert {row["item_id"] for row in rows} == set(ids)
    stored = json.loads(rows[0]["last_scores"])
    assert stored["total"] == pytest.approx(math.exp(-1) + 0.5)
    assert stored["computed_at"] == now.isoformat()
    assert stored["relevance"] == 0


async def test_protected_memories_stay_and_raise_the_alert(
    database: Database, user_id: str
) -> None:
    now = datetime.now(UTC)
    long_ago = now - timedelta(days=90)
    pinned = await save(database, user_id, "pinned", pinned=True, created_at=long_ago)
    saved = await save(database, user_id, "saved", manually_saved=True, created_at=long_ago)
    for number in range(3):
        await save(database, user_id, f"memory {number}")
    counters = MemoryMetrics()
    trimmed = await capacity(database, counters).enforce(user_id, "default", origin=UPKEEP)
    assert len(trimmed.ids) == 2
    assert set(trimmed.spared) == {pinned, saved}
    living = {each.id for each in await MemoryStore(database).list_recent(user_id)}
    assert {pinned, saved} < living
    assert counters.registry.get_sample_value("keepsake_protected_trims_avoided_total") == 2


async def test_what_is_out_of_recall_does_not_count(database: Database, user_id: str) -> None:
    items = MemoryStore(database)
    ids = [await save(database, user_id, f"memory {number}") for number in range(5)]
    await items.delete(user_id, ids[0])
    await items.supersede(user_id, ids[1], ids[2])
    assert (await capacity(database).enforce(user_id, "default", origin=UPKEEP)).ids == ()


async def test_ten_writers_at_once_end_at_the_cap(database: Database, user_id: str) -> None:
    keeper = capacity(database, cap=5)

    async def write(number: int) -> None:
        await save(database, user_id, f"memory {number}")
        await keeper.enforce(user_id, "default", origin=UPKEEP)

    await asyncio.gather(*(write(number) for number in range(10)))
    assert await MemoryStore(database).count(user_id) == 5


async def test_a_count_that_is_known_is_not_asked_again(database: Database, user_id: str) -> None:
    for number in range(5):
        await save(database, user_id, f"memory {number}")
    keeper = capacity(database)
    assert (await keeper.enforce(user_id, "default", origin=UPKEEP, held=3)).ids == ()
    assert len((await keeper.enforce(user_id, "default", origin=UPKEEP, held=4)).ids) == 2


async def test_only_what_was_trimmed_is_brought_back_and_only_by_its_user(
    database: Database, user_id: str
) -> None:
    ids = [await save(database, user_id, f"memory {number}") for number in range(3)]
    keeper = capacity(database, cap=2)
    [trimmed] = (await keeper.enforce(user_id, "default", origin=UPKEEP)).ids
    deleted, living = set(ids) - {trimmed}
    await MemoryStore(database).delete(user_id, deleted)

    for owner, item_id in [(f"{user_id}-other", trimmed), (user_id, deleted), (user_id, living)]:
        with pytest.raises(NotFound):
            await keeper.bring_back(owner, item_id, Origin())

    assert (await keeper.bring_back(user_id, trimmed, Origin())).deleted_at is None
    assert {each.id for each in await MemoryStore(database).list_recent(user_id)} == {
        trimmed,
        living,
    }
