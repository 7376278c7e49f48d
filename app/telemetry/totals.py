"""Adds what this program counts to the sums of the day in the database, where it outlives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from typing import Protocol

import structlog
from prometheus_client import CollectorRegistry

from memory.store.figures.metric_totals import Counted

PAUSE_SECONDS = 30.0
WRITE_TIMEOUT = 5.0
LAST_TIMEOUT = 2.0
# What an HTTP server answers is for who scrapes it: it has hundreds of series.
PREFIX, LEFT_OUT = "keepsake_", "keepsake_http_"
Key = tuple[str, tuple[tuple[str, str], ...]]
_log = structlog.get_logger(__name__)


class SumsOfDays(Protocol):
    """`memory.store.figures.metric_totals.MetricTotals`."""

    async def add(self, day: date, counted: list[Counted]) -> None: ...


class Totals:
    """Only what was added since the last write is written. What cannot be written is written with
    the next one; what the last write of a program cannot, is lost."""

    def __init__(
        self,
        registry: CollectorRegistry,
        sums: SumsOfDays,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self._registry = registry
        self._sums = sums
        self._today = today
        self._written: dict[Key, float] = {}

    async def write(self, within: float = WRITE_TIMEOUT) -> None:
        """Tries for `within` seconds, and never raises but when it is cancelled: a number is worth
        less than the program."""
        now = dict(summable(self._registry))
        added = [
            Counted(name, dict(labels), value - self._written.get((name, labels), 0.0))
            for (name, labels), value in now.items()
            if value > self._written.get((name, labels), 0.0)
        ]
        if not added:
            return
        try:
            async with asyncio.timeout(within):
                await self._sums.add(self._today(), added)
            self._written = now
        except Exception as error:
            _log.warning("totals_not_written", reason=type(error).__name__)

    @asynccontextmanager
    async def written(self, pause: float = PAUSE_SECONDS) -> AsyncIterator[None]:
        """Writes every `pause` seconds, and once more in the end."""
        task = asyncio.create_task(self._write_again_and_again(pause), name="totals")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})
            await self.write(LAST_TIMEOUT)

    async def _write_again_and_again(self, pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            await self.write()


def summable(registry: CollectorRegistry) -> Iterator[tuple[Key, float]]:
    """Counters, and the counts, sums and buckets of histograms; a gauge is no sum."""
    for family in registry.collect():
        if family.type not in ("counter", "histogram") or family.name.startswith(LEFT_OUT):
            continue
        for sample in family.samples:
            if sample.name.startswith(PREFIX) and not sample.name.endswith("_created"):
                yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value
