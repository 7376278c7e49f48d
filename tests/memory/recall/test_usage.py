from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import DatabaseUnavailable
from memory.retrieval.usage import UsageWriter
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore, MemoryUsage, UsageDelta
from memory.types import NewMemory, ScoreParts

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
PARTS = ScoreParts(relevance=0.9, recency=0.5, importance=0.4, usage=0.8, quality=1.1, total=0.6)
IDS = [UUID(int=number) for number in range(8)]


class Shelf:
    """Keeps what is noted; `open` holds a write up, `failing` are users whose write fails."""

    def __init__(self, *, failing: tuple[str, ...] = (), writable: bool = True) -> None:
        self.writes: list[tuple[str, dict[UUID, UsageDelta]]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.reached = asyncio.Event()
        self.is_writable = writable
        self._failing = failing

    async def note(self, user_id: str, used: Mapping[UUID, UsageDelta]) -> None:
        self.reached.set()
        await self.open.wait()
        if user_id in self._failing:
            raise DatabaseUnavailable(reason="it said: my mother is Ruth")
        self.writes.append((user_id, dict(used)))

    @property
    def times(self) -> dict[tuple[str, UUID], int]:
        counted: dict[tuple[str, UUID], int] = {}
        for user_id, used in self.writes:
            for item_id, each in used.items():
                counted[user_id, item_id] = counted.get((user_id, item_id), 0) + each.times
        return counted


def note(writer: UsageWriter, user_id: str, *numbers: int, now: datetime = NOW) -> None:
    writer.note(user_id, [(IDS[number], PARTS) for number in numbers], now)


def usage_tasks() -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == "usage"]


async def test_a_recall_is_one_write_with_the_plain_sum_as_total() -> None:
    shelf = Shelf()
    writer = UsageWriter(shelf)
    note(writer, "ada", 0, 1)
    assert shelf.writes == []
    await writer.flush()
    [(user_id, used)] = shelf.writes
    assert (user_id, list(used)) == ("ada", IDS[:2])
    scores = used[IDS[0]].scores
    assert (scores.relevance, scores.recency, scores.importance) == (0.9, 0.5, 0.4)
    assert scores.total == pytest.approx(1.8)
    assert scores.computed_at == NOW


async def test_what_is_noted_during_a_write_becomes_one_row_with_its_sum() -> None:
    shelf = Shelf()
    shelf.open.clear()
    writer = UsageWriter(shelf)
    note(writer, "ada", 0)
    await shelf.reached.wait()
    for minutes in range(3):
        note(writer, "ada", 0, 1, now=NOW + timedelta(minutes=minutes))
    shelf.open.set()
    await writer.flush()
    [_, (_, used)] = shelf.writes
    assert [used[item_id].times for item_id in IDS[:2]] == [3, 3]
    assert used[IDS[0]].scores.computed_at == NOW + timedelta(minutes=2)


async def test_nothing_runs_before_the_first_note_or_after_the_last() -> None:
    writer = UsageWriter(Shelf())
    note(writer, "ada")
    assert usage_tasks() == []
    note(writer, "ada", 0)
    assert len(usage_tasks()) == 1
    await writer.flush()
    assert usage_tasks() == []


async def test_a_failed_write_is_logged_without_words_and_the_next_user_is_written() -> None:
    shelf = Shelf(failing=("ada",))
    writer = UsageWriter(shelf)
    with structlog.testing.capture_logs() as logs:
        note(writer, "ada", 0, 1)
        note(writer, "bob", 2)
        await writer.flush()
    assert shelf.times == {("bob", IDS[2]): 1}
    assert writer.lost == 2
    [line] = logs
    assert line == {
        "event": "usage_not_written",
        "log_level": "warning",
        "count": 2,
        "reason": "DatabaseUnavailable",
    }


async def test_a_late_write_is_given_up() -> None:
    shelf = Shelf()
    shelf.open.clear()
    writer = UsageWriter(shelf, write_timeout=0.01)
    note(writer, "ada", 0)
    await writer.flush()
    assert (shelf.writes, writer.lost) == ([], 1)


async def test_the_one_noted_first_is_dropped_above_the_limit() -> None:
    shelf = Shelf()
    writer = UsageWriter(shelf, most_waiting=3)
    note(writer, "ada", 0, 1)
    note(writer, "bob", 2, 3)
    note(writer, "bob", 2)
    await writer.flush()
    assert shelf.times == {("ada", IDS[1]): 1, ("bob", IDS[2]): 2, ("bob", IDS[3]): 1}
    assert writer.lost == 1


async def test_closing_writes_what_waits_and_takes_nothing_more() -> None:
    shelf = Shelf()
    writer = UsageWriter(shelf)
    note(writer, "ada", 0)
    note(writer, "bob", 1)
    await writer.aclose()
    note(writer, "ada", 2)
    await writer.aclose()
    assert shelf.times == {("ada", IDS[0]): 1, ("bob", IDS[1]): 1}
    assert (usage_tasks(), writer.lost) == ([], 0)


async def test_closing_does_not_wait_for_ever() -> None:
    shelf = Shelf()
    shelf.open.clear()
    writer = UsageWriter(shelf, close_timeout=0.01)
    note(writer, "ada", 0)
    note(writer, "bob", 1, 2)
    await writer.aclose()
    assert (shelf.writes, writer.lost, usage_tasks()) == ([], 3, [])


async def test_closing_what_was_never_used() -> None:
    await UsageWriter(Shelf()).aclose()


async def test_a_cancelled_close_leaves_no_task() -> None:
    shelf = Shelf()
    shelf.open.clear()
    writer = UsageWriter(shelf)
    note(writer, "ada", 0)
    await shelf.reached.wait()
    closing = asyncio.create_task(writer.aclose())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait({closing})
    await writer.flush()
    assert (closing.cancelled(), usage_tasks(), writer.lost) == (True, [], 1)


async def test_what_may_not_be_written_to_is_left_alone() -> None:
    shelf = Shelf(writable=False)
    writer = UsageWriter(shelf)
    note(writer, "ada", 0)
    assert usage_tasks() == []
    await writer.aclose()
    assert (shelf.writes, writer.lost) == ([], 0)


recall = st.tuples(st.sampled_from(["ada", "bob", "cyd"]), st.lists(st.integers(0, 7), max_size=5))


@given(st.lists(st.tuples(recall, st.booleans()), max_size=12), st.integers(1, 40))
def test_every_recall_is_counted_once_or_lost(
    recalls: list[tuple[tuple[str, list[int]], bool]], most: int
) -> None:
    async def run() -> None:
        shelf = Shelf()
        writer = UsageWriter(shelf, most_waiting=most)
        for (user_id, numbers), pause in recalls:
            note(writer, user_id, *numbers)
            if pause:
                await asyncio.sleep(0)
        await writer.aclose()
        noted: dict[tuple[str, UUID], int] = {}
        for (user_id, numbers), _ in recalls:
            for number in numbers:
                key = user_id, IDS[number]
                noted[key] = noted.get(key, 0) + 1
        assert all(times <= noted[key] for key, times in shelf.times.items())
        if writer.lost == 0:
            assert shelf.times == noted
        assert all(len(used) <= most for _, used in shelf.writes)

    asyncio.run(run())


async def test_from_many_tasks_into_the_database(database: Database, user_id: str) -> None:
    new = [EmbeddedMemory(NewMemory(content=f"tea {each}"), None, None) for each in range(3)]
    ids = [(await MemoryStore(database).save(user_id, each)).id for each in new]
    writer = UsageWriter(MemoryUsage(database))

    async def recall() -> None:
        writer.note(user_id, [(item_id, PARTS) for item_id in ids], NOW)
        await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(recall())
    await writer.aclose()
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT access_count FROM memory_usage")
    assert [row["access_count"] for row in rows] == [20, 20, 20]
    assert writer.lost == 0
