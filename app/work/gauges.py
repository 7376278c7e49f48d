"""What the metrics show of the queue: looked at, not counted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import structlog

from app.telemetry.banks import set_banks
from app.wiring import Keepsake
from memory.database import WORKER_ROLE
from memory.errors import KeepsakeError
from memory.store.figures.census import Census

PAUSE_SECONDS = 15.0
# To count all memories takes the database a while where there are many.
CENSUS_SECONDS = 300.0
_log = structlog.get_logger(__name__)


async def keep_gauges(
    keepsake: Keepsake, pause: float = PAUSE_SECONDS, census_pause: float = CENSUS_SECONDS
) -> None:
    """Again and again, until it is cancelled."""
    async with asyncio.TaskGroup() as group:
        group.create_task(_keep(lambda: set_gauges(keepsake, datetime.now(UTC)), pause))
        group.create_task(_keep(lambda: set_census(keepsake), census_pause))


async def _keep(look: Callable[[], Awaitable[None]], pause: float) -> None:
    while True:
        try:
            await look()
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("gauges not set", reason=str(error) or "timeout")
        except Exception as error:  # nobody looks at this task: it says so and goes on
            _log.error("looking at the queue failed", exc_info=error)
        await asyncio.sleep(pause)


async def set_gauges(keepsake: Keepsake, now: datetime) -> None:
    """The backlog of vectors with how many seconds its oldest row has waited, and the jobs by
    state."""
    counters, queue = keepsake.counters, keepsake.everyone.queue
    for backlog in await queue.backlog():
        age = 0.0 if backlog.oldest is None else (now - backlog.oldest).total_seconds()
        counters.embedding_backlog.labels(backlog.noun).set(backlog.count)
        counters.embedding_backlog_age.labels(backlog.noun).set(max(age, 0.0))
    for state, count in (await queue.states()).items():
        counters.jobs.labels(state).set(count)


async def set_census(keepsake: Keepsake) -> None:
    """The memories by bank."""
    held = await Census(keepsake.database.acting_as(WORKER_ROLE)).banks()
    set_banks(keepsake.counters, held, keepsake.settings.memory_banks)
