from __future__ import annotations

import asyncio
from datetime import date

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge

from app.telemetry.metrics import DailyTotals, summable
from memory.metrics import MemoryMetrics
from memory.store.database import WORKER_ROLE, Database
from memory.store.statistics import MetricSample, MetricTotalStore

TODAY = date(2026, 11, 22)


class Sums:
    """Keeps what it is given, unless it is away."""

    def __init__(self) -> None:
        self.added: list[list[MetricSample]] = []
        self.away = False
        self.written = asyncio.Event()

    async def add(self, day: date, counted: list[MetricSample]) -> None:
        if self.away:
            raise OSError("away")
        assert day == TODAY
        self.added.append(counted)
        self.written.set()


def today() -> date:
    return TODAY


async def test_only_what_was_added_since_is_written() -> None:
    counters, sums = MemoryMetrics(), Sums()
    totals = DailyTotals(counters.registry, sums, today)
    await totals.write()
    assert sums.added == []
    counters.trims.labels("fifo").inc(3)
    await totals.write()
    counters.trims.labels("fifo").inc()
    counters.dedupe_saves.inc(2)
    await totals.write()
    await totals.write()
    pruned = "keepsake_memories_pruned_total"
    assert sums.added == [
        [MetricSample(pruned, {"strategy": "fifo"}, 3)],
        [
            MetricSample("keepsake_dedupe_saves_total", {}, 2),
            MetricSample(pruned, {"strategy": "fifo"}, 1),
        ],
    ]


async def test_what_could_not_be_written_is_written_later() -> None:
    counters, sums = MemoryMetrics(), Sums()
    totals = DailyTotals(counters.registry, sums, today)
    counters.dedupe_saves.inc(2)
    sums.away = True
    await totals.write()
    sums.away = False
    counters.dedupe_saves.inc()
    await totals.write()
    assert sums.added == [[MetricSample("keepsake_dedupe_saves_total", {}, 3)]]


async def test_a_program_that_ends_writes_once_more() -> None:
    counters, sums = MemoryMetrics(), Sums()
    async with DailyTotals(counters.registry, sums, today).written(pause=3600):
        counters.dedupe_saves.inc()
    assert sums.added == [[MetricSample("keepsake_dedupe_saves_total", {}, 1)]]


async def test_one_that_goes_on_writes_again_and_again() -> None:
    counters, sums = MemoryMetrics(), Sums()
    async with DailyTotals(counters.registry, sums, today).written(pause=0.001):
        for _ in range(2):
            counters.dedupe_saves.inc()
            async with asyncio.timeout(30):
                await sums.written.wait()
            sums.written.clear()
    assert len(sums.added) == 2


def test_gauges_and_the_series_of_the_server_are_no_sums() -> None:
    registry = CollectorRegistry()
    Gauge("keepsake_some", "A gauge", registry=registry).set(4)
    Counter("keepsake_http_requests", "Requests", registry=registry).inc()
    Counter("python_gc", "Somebody else's", registry=registry).inc()
    assert list(summable(registry)) == []


@pytest.mark.usefixtures("own_database_url")
async def test_the_sums_of_a_day_are_of_all_programs(database: Database) -> None:
    sums = MetricTotalStore(database)
    one, other = MemoryMetrics(), MemoryMetrics()
    one.embed_seconds.labels("query").observe(0.02)
    other.embed_seconds.labels("query").observe(0.04)
    other.trims.labels("fifo").inc(3)
    for counters in (one, other, other):
        await DailyTotals(counters.registry, sums, today).write()
    [(day, counted)] = (await sums.read(TODAY)).items()
    found = {(each.name, *each.labels.values()): each.value for each in counted}
    assert day == TODAY
    assert found["keepsake_embed_seconds_sum", "query"] == pytest.approx(0.1)
    assert found["keepsake_embed_seconds_count", "query"] == 3
    assert found["keepsake_memories_pruned_total", "fifo"] == 6


@pytest.mark.usefixtures("own_database_url")
async def test_old_sums_are_taken_away_by_the_worker(database: Database) -> None:
    sums = MetricTotalStore(database)
    for day in (date(2025, 1, 1), TODAY):
        await sums.add(day, [MetricSample("keepsake_turns_total", {"privacy": "normal"}, 1)])
    assert await MetricTotalStore(database.as_role(WORKER_ROLE)).expire(TODAY) == 1
    assert list(await sums.read(date(2025, 1, 1))) == [TODAY]
