"""Does the jobs of the queue until it is told to end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID, uuid4

from pgqueuer.core.applications import PgQueuer
from pgqueuer.domain.errors import PgqException

from app.wiring import Keepsake
from app.work.gauges import keep_gauges
from app.work.job import Job
from app.work.kinds import JOBS
from app.work.queue import make_queue
from app.work.reconcile import RECONCILE
from memory.database import WORKER_ROLE
from memory.errors import DatabaseUnavailable
from memory.store.jobs.requests import EVERYTHING

BATCH = 2
# More than all kinds together that wait for a model.
MOST_AT_ONCE = 6


@dataclass(frozen=True)
class Terms:
    """A job whose worker gave no sign of life for `lease` is another's; one in hand has `grace`
    seconds to end before it is given back. `holder` is the worker's name in the queue: under the
    same one it goes on after the database was away."""

    lease: timedelta = timedelta(seconds=30)
    grace: float = 20.0
    holder: UUID = field(default_factory=uuid4)


async def do_jobs(keepsake: Keepsake, terms: Terms, jobs: Sequence[Job] = JOBS) -> None:
    """Until it is cancelled. Raises DatabaseUnavailable as soon as the database is away, and
    SchemaOutdated where the login may not act as the worker."""
    async with keepsake.database.acting_as(WORKER_ROLE).hold() as connection:
        queue = await make_queue(connection, keepsake, jobs, terms.holder)
        if RECONCILE in jobs:
            await keepsake.everyone.queue.put(RECONCILE.name, [EVERYTHING])
        gauges = asyncio.create_task(keep_gauges(keepsake))
        try:
            await _run(queue, terms, keepsake.settings.worker_poll_seconds)
        except PgqException as error:
            raise DatabaseUnavailable(reason="the queue hears nothing from it") from error
        finally:
            gauges.cancel()
            await asyncio.gather(gauges, return_exceptions=True)


async def _run(queue: PgQueuer, terms: Terms, poll: float) -> None:
    running = asyncio.create_task(
        queue.run(
            dequeue_timeout=timedelta(seconds=poll),
            batch_size=BATCH,
            max_concurrent_tasks=MOST_AT_ONCE,
            shutdown_on_listener_failure=True,
            heartbeat_timeout=terms.lease,
            log_aggregation_interval=timedelta(0),
        )
    )
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        queue.shutdown.set()
        await asyncio.wait({running}, timeout=terms.grace)
        raise
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
