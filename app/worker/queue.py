"""The queue of pgqueuer over one connection: how often a job is tried, when it is given up, and
what is written down of it as long as it is this worker's."""

from __future__ import annotations

import asyncio
import random
import time
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, cast
from uuid import UUID

import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import (
    DBSettings,
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.applications import PgQueuer
from pgqueuer.core.executors import AbstractEntrypointExecutor, EntrypointExecutorParameters
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Context, Schedule, TracebackRecord
from pgqueuer.domain.models import Job as Taken
from pgqueuer.domain.types import JOB_STATUS, Channel, JobId, QueueManagerId
from pgqueuer.ports.driver import Driver

from app.bootstrap import Keepsake
from app.worker.jobs import JobKind
from memory.errors import (
    CacheUnavailable,
    CircuitOpen,
    CopiesRemain,
    DatabaseUnavailable,
    EmbeddingOutdated,
    EmbeddingUnavailable,
    KeepsakeError,
    MessagesGivenUp,
)
from memory.store.database import Connection
from memory.store.jobs import ALL_USERS, FetchRows, JobLeases

_log = structlog.get_logger(__name__)


class JobFailed(RetryRequested):
    """The job came back with an error: a failed attempt, tried again after a pause."""


class JobEnded(RetryRequested):
    """The job did not come back and was ended: its taking stays counted."""


class JobReturned(RetryRequested):
    """Nothing is wrong with the job, and nothing is counted."""


class LeasedQueries(Queries):
    """Those of pgqueuer name a job by its id alone, and count an attempt only where a job fails.
    Here what a worker says of a job that it lost changes nothing, whatever became of it since:
    another worker's, put back, or held."""

    def __init__(self, driver: Driver, names: DBSettings, holder: UUID) -> None:
        super().__init__(
            driver,
            qbe=QueryBuilderEnvironment(names),
            qbq=QueryQueueBuilder(names),
            qbs=QuerySchedulerBuilder(names),
        )
        self.leases = JobLeases(cast(FetchRows, driver.fetch), holder)
        self._losses: dict[int, asyncio.Future[None]] = {}

    @contextmanager
    def watch_loss(self, job_id: int) -> Iterator[asyncio.Future[None]]:
        """Is done as soon as the job is seen to be another's."""
        lost = asyncio.get_running_loop().create_future()
        self._losses[job_id] = lost
        try:
            yield lost
        finally:
            del self._losses[job_id]

    async def update_heartbeat(self, job_ids: list[JobId]) -> None:
        held = await self.leases.renew(job_ids)
        for job_id in set(job_ids) - held:
            lost = self._losses.get(job_id)
            if lost is not None and not lost.done():
                lost.set_result(None)

    async def retry_job(
        self, job: Taken, delay: timedelta, traceback_record: TracebackRecord | None
    ) -> None:
        """Counts what the exception that asked for it says, which is named in the record."""
        assert traceback_record is not None  # the manager of the queue gives one
        kind = traceback_record.exception_type
        await self.leases.put_back(
            job.id,
            delay,
            traceback_record.model_dump_json(),
            failed=kind == JobFailed.__name__,
            came_back=kind != JobEnded.__name__,
        )

    async def log_jobs(
        self, job_status: list[tuple[Taken, JOB_STATUS, TracebackRecord | None]]
    ) -> None:
        held = await self.leases.renew(job.id for job, _, _ in job_status)
        if said := [each for each in job_status if each[0].id in held]:
            await super().log_jobs(said)


FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
MAX_ATTEMPTS = 6
# Fewer than those that failed, since each of them takes a worker along or keeps one busy until the
# deadline; more than one, since a worker also dies of what is not its job's fault.
MAX_TAKINGS = 3
# So long what is ended has to end. What does not is left to itself.
ENDING_SECONDS = 5.0
# What is away comes back without anybody's doing: it is waited for.
AWAY = (
    DatabaseUnavailable,
    EmbeddingUnavailable,
    EmbeddingOutdated,
    CacheUnavailable,
    CopiesRemain,  # in Redis, while it is away
    CircuitOpen,
    TimeoutError,
)
PATIENCE = timedelta(days=1)
OUTCOMES = ("done", "put_off", "given_up", "given_back")


class JobGivenUp(Exception):
    """The last attempt at a job failed, for the reason that this says without anybody's words."""


class JobUnfinished(Exception):
    """The job was begun so many `times` and did not come back; says why, without anybody's
    words."""

    def __init__(self, reason: str, times: int) -> None:
        super().__init__(reason)
        self.times = times


class JobLost(Exception):
    """The job is another worker's by now, or held: what came of it here does not count."""


def pause_before(attempts: int, chance: float) -> timedelta:
    """After so many attempts that failed before the one that failed now: twice as long each time,
    from FIRST_PAUSE to LONGEST_PAUSE. Up to half of it is left to `chance` (0 to 1), so that what
    failed together is not tried again together."""
    doubled = FIRST_PAUSE * 2.0 ** min(attempts, 20)
    return min(doubled, LONGEST_PAUSE) * (1 - chance / 2)


def is_dead_letter(error: Exception, attempts: int, age: timedelta) -> bool:
    """Whether a job of that age is not tried again, whose attempt failed after so many others. What
    is away is waited for PATIENCE long; what does not come back is tried MAX_TAKINGS times, all
    else MAX_ATTEMPTS times."""
    if isinstance(error, MessagesGivenUp):  # another attempt would find nothing left to say it of
        return True
    if isinstance(error, AWAY):
        return age >= PATIENCE
    if isinstance(error, JobUnfinished):
        return error.times >= MAX_TAKINGS
    return attempts + 1 >= MAX_ATTEMPTS


class JobAttempt(AbstractEntrypointExecutor):
    """Does a job once. What fails is put back into the queue or held there for somebody to look
    at, and so is what does not end by its deadline; what is cancelled, since the program ends, is
    given back."""

    def __init__(
        self,
        kind: JobKind,
        keepsake: Keepsake,
        queries: LeasedQueries,
        chance: Callable[[], float] = random.random,
    ) -> None:
        parameters = EntrypointExecutorParameters(
            concurrency_limit=kind.at_most or 0, func=self._run, on_failure="hold"
        )
        super().__init__(parameters)
        self._kind = kind
        self._keepsake = keepsake
        self._queries = queries
        self._chance = chance
        for outcome in OUTCOMES:  # a series that began with its first event would not have grown
            keepsake.counters.jobs_done.labels(kind.name, outcome)

    async def execute(self, job: Taken, context: Context) -> None:
        """Raises RetryRequested and JobGivenUp, without what they come from: the queue keeps a
        traceback, and its words could be somebody's."""
        began = time.monotonic()
        with structlog.contextvars.bound_contextvars(job=self._kind.name, job_id=job.id):
            try:
                await self._run(job)
            except asyncio.CancelledError:
                raise self._given_back() from None
            except JobLost:
                _log.warning("job_lost", reason="no sign of life was given in time")
                raise JobReturned from None  # of what is another's nothing is written
            except Exception as error:
                raise await self._failed(job, error) from None
        self._count("done")
        seconds = time.monotonic() - began
        self._keepsake.counters.job_seconds.labels(self._kind.name).observe(seconds)

    async def _run(self, job: Taken) -> None:
        """Has it counted that the job is begun before it is. Raises JobLost, JobUnfinished, and
        what the work raises."""
        takings = await self._queries.leases.take(job.id, MAX_TAKINGS)
        if takings is None:
            raise JobLost
        if takings >= MAX_TAKINGS:
            raise JobUnfinished("whoever did it died of it, or stood still", takings)
        await self._work(job, takings + 1)

    async def _work(self, job: Taken, times: int) -> None:
        """Leaves nothing of the work running, unless that takes no end."""
        whose = (job.payload or b"").decode()
        work = asyncio.ensure_future(self._kind.run(self._keepsake, whose or None))
        with self._queries.watch_loss(job.id) as lost:
            try:
                deadline = self._kind.deadline.total_seconds()
                await asyncio.wait({work, lost}, timeout=deadline, return_when=FIRST_COMPLETED)
                ended = work.done()
            finally:
                await _end(work)
        if lost.done():
            raise JobLost
        if not ended:
            raise JobUnfinished(f"its deadline of {self._kind.deadline} was over", times)
        if work.cancelled():  # by itself: nobody has asked it to end
            raise JobUnfinished("it broke itself off", times)
        work.result()

    def _given_back(self) -> RetryRequested:
        if (task := asyncio.current_task()) is not None:
            task.uncancel()  # what follows is to be awaited
        self._count("given_back")
        return JobReturned(reason="given back")

    async def _failed(self, job: Taken, error: Exception) -> Exception:
        reason = _reason(error)
        if is_dead_letter(error, job.attempts, datetime.now(UTC) - job.created):
            self._count("given_up")
            _log.error("job_given_up", reason=reason, exc_info=_unexpected(error))
            await self._drop_older(job)
            return JobGivenUp(reason)
        unfinished = error if isinstance(error, JobUnfinished) else None
        earlier = unfinished.times - 1 if unfinished else job.attempts
        pause = pause_before(earlier, self._chance())
        self._count("put_off")
        seconds = round(pause.total_seconds(), 1)
        _log.warning("job_put_off", reason=reason, seconds=seconds, exc_info=_unexpected(error))
        return JobEnded(pause, reason) if unfinished else JobFailed(pause, reason)

    async def _drop_older(self, job: Taken) -> None:
        """What goes wrong here would take the reason's place, and what it comes from along."""
        try:
            await self._keepsake.everyone.queue.drop_older(job.id)
        except Exception as error:
            _log.warning("older_failure_kept", reason=type(error).__name__)

    def _count(self, outcome: str) -> None:
        self._keepsake.counters.jobs_done.labels(self._kind.name, outcome).inc()


async def _end(work: asyncio.Future[None]) -> None:
    """Does nothing to what is done. What takes no end runs on beside whatever comes after it: no
    loop can stop it."""
    work.add_done_callback(_looked_at)
    work.cancel()
    await asyncio.wait({work}, timeout=ENDING_SECONDS)
    if not work.done():
        _log.error("job_not_ended", reason="it goes on although it was cancelled")


def _looked_at(work: asyncio.Future[None]) -> None:
    """What it raised after its time was over interests nobody."""
    if not work.cancelled():
        work.exception()


def _reason(error: Exception) -> str:
    if isinstance(error, JobUnfinished):
        times = "once" if error.times == 1 else f"{error.times} times"
        return f"taken {times} and never finished: {error}"
    return str(error) if isinstance(error, KeepsakeError) else type(error).__name__


def _unexpected(error: Exception) -> Exception | None:
    return None if isinstance(error, KeepsakeError | TimeoutError | JobUnfinished) else error


# As migrations/0023_schema.sql made them. Each is named, since pgqueuer would look for the others
# in the environment, where CHANNEL or FUNCTION may mean something else.
QUEUE_NAMES = DBSettings(
    prefix="",
    db_schema=None,
    channel=Channel("ch_pgqueuer"),
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
)


async def make_queue(
    connection: Connection, keepsake: Keepsake, jobs: Sequence[JobKind], holder: UUID
) -> PgQueuer:
    """Ready to run, with what that holder had in hand when the database went given back. The
    connection acts as the worker, and is the queue's alone."""
    driver = AsyncpgDriver(cast(Any, connection))  # one of a pool does what its own would
    queries = LeasedQueries(driver, QUEUE_NAMES, holder)
    await queries.leases.give_back_all()
    queue = PgQueuer(driver, channel=QUEUE_NAMES.channel, queries=queries)
    queue.qm.queue_manager_id = QueueManagerId(holder)
    for kind in jobs:
        queue.qm.register_executor(kind.name, JobAttempt(kind, keepsake, queries))
        if expression := kind.schedule(keepsake.settings):
            queue.schedule(kind.name, expression)(partial(_enqueue_scheduled, keepsake, kind))
    return queue


async def _enqueue_scheduled(keepsake: Keepsake, kind: JobKind, _due: Schedule) -> None:
    """Queued rather than done at once, so that it is tried again as every job is."""
    await keepsake.everyone.queue.put(kind.name, [ALL_USERS])
