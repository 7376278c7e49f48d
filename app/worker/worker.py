"""`python -m app worker`: what can wait, for all users, until a signal ends it; and what the
metrics show of the queue."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import structlog
from pgqueuer.core.applications import PgQueuer
from pgqueuer.domain.errors import PgqException

from app.bootstrap import Keepsake, open_keepsake
from app.runner import Shutdown
from app.tasks import exponential_backoff
from app.telemetry.metrics import serve_metrics, set_banks
from app.worker.heartbeat import heartbeat, heartbeat_file
from app.worker.jobs import JOBS, RECONCILE, JobKind
from app.worker.queue import make_queue
from memory.config import Settings
from memory.errors import DatabaseUnavailable, KeepsakeError, SchemaOutdated
from memory.store.database import WORKER_ROLE
from memory.store.jobs import ALL_USERS
from memory.store.statistics import BankStatistics

GAUGE_PAUSE_SECONDS = 15.0
# To count all memories takes the database a while where there are many.
CENSUS_SECONDS = 300.0
_log = structlog.get_logger(__name__)


async def keep_gauges(
    keepsake: Keepsake, pause: float = GAUGE_PAUSE_SECONDS, census_pause: float = CENSUS_SECONDS
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
    held = await BankStatistics(keepsake.database.as_role(WORKER_ROLE)).banks()
    set_banks(keepsake.counters, held, keepsake.settings.memory_banks)


BATCH = 2
# More than all kinds together that wait for a model.
MAX_CONCURRENT_JOBS = 6


@dataclass(frozen=True)
class WorkerTerms:
    """A job whose worker gave no sign of life for `lease` is another's; one in hand has `grace`
    seconds to end before it is given back. `holder` is the worker's name in the queue: under the
    same one it goes on after the database was away."""

    lease: timedelta = timedelta(seconds=30)
    grace: float = 20.0
    holder: UUID = field(default_factory=uuid4)


async def run_jobs(keepsake: Keepsake, terms: WorkerTerms, jobs: Sequence[JobKind] = JOBS) -> None:
    """Until it is cancelled. Raises DatabaseUnavailable as soon as the database is away, and
    SchemaOutdated where the login may not act as the worker."""
    async with keepsake.database.as_role(WORKER_ROLE).hold() as connection:
        queue = await make_queue(connection, keepsake, jobs, terms.holder)
        if RECONCILE in jobs:
            await keepsake.everyone.queue.put(RECONCILE.name, [ALL_USERS])
        gauges = asyncio.create_task(keep_gauges(keepsake))
        try:
            await _run_queue(queue, terms, keepsake.settings.worker_poll_seconds)
        except PgqException as error:
            raise DatabaseUnavailable(reason="the queue hears nothing from it") from error
        finally:
            gauges.cancel()
            await asyncio.gather(gauges, return_exceptions=True)


async def _run_queue(queue: PgQueuer, terms: WorkerTerms, poll: float) -> None:
    running = asyncio.create_task(
        queue.run(
            dequeue_timeout=timedelta(seconds=poll),
            batch_size=BATCH,
            max_concurrent_tasks=MAX_CONCURRENT_JOBS,
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


NICENESS = 10


async def run_worker_nicely(settings: Settings, leaving: Shutdown) -> int:
    """On a machine that answers people as well, what can wait lets them go first. Not where it may
    have to start the embedded database, which would be as polite as the process that started it."""
    if settings.database_url is not None:
        os.nice(NICENESS)
    return await run_worker(settings, leaving)


async def run_worker(settings: Settings, leaving: Shutdown) -> int:
    """Ends with 0 on SIGTERM, which is how a container is stopped: a job in hand is ended first, or
    given back."""
    try:
        async with heartbeat(heartbeat_file(settings.keepsake_home)):
            await _run_until_cancelled(settings)
    except asyncio.CancelledError:
        if leaving.signal is not signal.SIGTERM:
            raise
    _log.info("worker stopped")
    return 0


async def _run_until_cancelled(settings: Settings) -> None:
    """Opens the program again and again: a database that is away or not migrated yet is waited
    for, twice as long each time, up to a minute."""
    pauses, terms = exponential_backoff(settings.worker_poll_seconds), WorkerTerms()
    while True:
        try:
            async with open_keepsake(settings, _log_progress) as keepsake:
                _log.info("worker started", home=settings.keepsake_home)
                pauses = exponential_backoff(settings.worker_poll_seconds)
                registry = keepsake.counters.registry
                async with serve_metrics(
                    registry, settings.metrics_host, settings.worker_metrics_port
                ):
                    await run_jobs(keepsake, terms)
        except (DatabaseUnavailable, SchemaOutdated) as error:
            pause = next(pauses)
            _log.warning("waiting", seconds=pause, reason=str(error))
            await asyncio.sleep(pause)


def _log_progress(text: str) -> None:
    _log.info("setting up", what=text)
