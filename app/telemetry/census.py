"""Looks again and again how many there are of what, for the gauges that nobody counts up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

import structlog

from memory.counters import Counters
from memory.errors import KeepsakeError
from memory.store.census import Counts

PAUSE_SECONDS = 30.0
TIMEOUT = 10.0
OTHER = "other"
_log = structlog.get_logger(__name__)


class TakesCensus(Protocol):
    """`memory.store.census.Census`."""

    async def take(self) -> Counts: ...


class Gauges:
    """`banks` are those of the settings; memories in any other are counted together."""

    def __init__(self, census: TakesCensus, counters: Counters, banks: Sequence[str]) -> None:
        self._census = census
        self._counters = counters
        self._banks = banks

    async def look(self) -> None:
        """Raises KeepsakeError and TimeoutError; the gauges then stay as they were."""
        async with asyncio.timeout(TIMEOUT):
            counts = await self._census.take()
        distribution = dict.fromkeys((*self._banks, OTHER), 0)
        for bank, count in counts.banks.items():
            distribution[bank if bank in self._banks else OTHER] += count
        for bank, count in distribution.items():
            self._counters.bank_distribution.labels(bank).set(count)
        for state, count in counts.jobs.items():
            self._counters.jobs.labels(state).set(count)
        for noun, backlog in counts.backlog.items():
            self._counters.embedding_backlog.labels(noun).set(backlog.count)
            self._counters.embedding_backlog_age.labels(noun).set(backlog.age)

    @asynccontextmanager
    async def kept(self, pause: float = PAUSE_SECONDS) -> AsyncIterator[None]:
        """Looks at once and every `pause` seconds after that."""
        task = asyncio.create_task(self._look_again_and_again(pause), name="gauges")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _look_again_and_again(self, pause: float) -> None:
        while True:
            try:
                await self.look()
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("gauges_not_set", reason=str(error) or "timeout")
            except Exception as error:  # nobody looks at this task: it says so and goes on
                _log.error("gauges_failed", exc_info=error)
            await asyncio.sleep(pause)
