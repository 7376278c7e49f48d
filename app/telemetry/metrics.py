"""The numbers that outlive the program: what it counts, added to the sums of the day; and where
they can be read while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from typing import Protocol

import structlog
from prometheus_client import CollectorRegistry, start_http_server

from memory.errors import InvalidSettings
from memory.metrics import MemoryMetrics
from memory.store.statistics import MetricSample

OTHER_BANK = "other"
_log = structlog.get_logger(__name__)


def set_banks(counters: MemoryMetrics, held: Mapping[str, int], banks: Sequence[str]) -> None:
    """`banks` are those of the settings, empty ones too. What lies in any other, since the settings
    were changed, is counted together: a label is never a word of a user's."""
    distribution = dict.fromkeys((*banks, OTHER_BANK), 0)
    for bank, count in held.items():
        distribution[bank if bank in banks else OTHER_BANK] += count
    for bank, count in distribution.items():
        counters.bank_distribution.labels(bank).set(count)


PAUSE_SECONDS = 30.0
WRITE_TIMEOUT = 5.0
LAST_TIMEOUT = 2.0
# What an HTTP server answers is for who scrapes it: it has hundreds of series.
METRIC_PREFIX, LEFT_OUT_PREFIX = "keepsake_", "keepsake_http_"
SeriesKey = tuple[str, tuple[tuple[str, str], ...]]


class DailyTotalsStore(Protocol):
    """`memory.store.statistics.MetricTotalStore`."""

    async def add(self, day: date, counted: list[MetricSample]) -> None: ...


class DailyTotals:
    """Adds what this program counts to the sums of the day in the database, where it outlives it.
    Only what was added since the last write is written. What cannot be written is written with the
    next one; what the last write of a program cannot, is lost."""

    def __init__(
        self,
        registry: CollectorRegistry,
        sums: DailyTotalsStore,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self._registry = registry
        self._sums = sums
        self._today = today
        self._written: dict[SeriesKey, float] = {}

    async def write(self, within: float = WRITE_TIMEOUT) -> None:
        """Tries for `within` seconds, and never raises but when it is cancelled: a number is worth
        less than the program."""
        now = dict(summable(self._registry))
        added = [
            MetricSample(name, dict(labels), value - self._written.get((name, labels), 0.0))
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


def summable(registry: CollectorRegistry) -> Iterator[tuple[SeriesKey, float]]:
    """Counters, and the counts, sums and buckets of histograms; a gauge is no sum."""
    for family in registry.collect():
        if family.type not in ("counter", "histogram") or family.name.startswith(LEFT_OUT_PREFIX):
            continue
        for sample in family.samples:
            if sample.name.startswith(METRIC_PREFIX) and not sample.name.endswith("_created"):
                yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value


@asynccontextmanager
async def serve_metrics(registry: CollectorRegistry, host: str, port: int) -> AsyncIterator[None]:
    """Answers in a thread of its own; not at all where the port is 0. Nothing in it is of a user,
    and nobody is asked for a credential: the address says who reaches it. Raises InvalidSettings
    where it cannot listen there."""
    if port == 0:
        yield
        return
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise InvalidSettings(
            reason=f"METRICS_HOST and the port of the metrics: cannot listen at {host}:{port} "
            f"({error.strerror}); name others, or port 0 for none"
        ) from error
    _log.info("metrics exported", host=host, port=port)
    try:
        yield
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        await asyncio.to_thread(thread.join)
