"""What the metrics show of the queue: looked at, not counted."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import structlog

from app.telemetry.banks import set_banks
from app.wiring import Keepsake
from memory.database import WORKER_ROLE
from memory.errors import KeepsakeError
from memory.store.census import Census

PAUSE_SECONDS = 15.0
_log = structlog.get_logger(__name__)


async def keep_gauges(keepsake: Keepsake, pause: float = PAUSE_SECONDS) -> None:
    """Again and again, until it is cancelled."""
    while True:
        try:
            await set_gauges(keepsake, datetime.now(UTC))
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("gauges not set", reason=str(error) or "timeout")
        await asyncio.sleep(pause)


async def set_gauges(keepsake: Keepsake, now: datetime) -> None:
    """The backlog of vectors with the age of its oldest row in seconds, the jobs by state, and the
    memories by bank."""
    counters, queue = keepsake.counters, keepsake.everyone.queue
    for backlog in await queue.backlog():
        age = 0.0 if backlog.oldest is None else (now - backlog.oldest).total_seconds()
        counters.embedding_backlog.labels(backlog.noun).set(backlog.count)
        counters.embedding_backlog_age.labels(backlog.noun).set(max(age, 0.0))
    for state, count in (await queue.states()).items():
        counters.jobs.labels(state).set(count)
    held = await Census(keepsake.database.acting_as(WORKER_ROLE)).banks()
    set_banks(counters, held, keepsake.settings.memory_banks)
