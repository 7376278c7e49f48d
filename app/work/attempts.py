"""How often a job is tried, how long is waited in between, and when it is given up."""

from __future__ import annotations

import asyncio
import random
import time
from asyncio import FIRST_COMPLETED
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog
from pgqueuer.core.executors import AbstractEntrypointExecutor, EntrypointExecutorParameters
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Context
from pgqueuer.domain.models import Job as Taken

from app.wiring import Keepsake
from app.work.job import Job
from app.work.leases import Ended, Failed, GivenBack, LeasedQueries
from memory.errors import (
    CacheUnavailable,
    CopiesRemain,
    DatabaseUnavailable,
    EmbeddingOutdated,
    EmbeddingUnavailable,
    KeepsakeError,
    LeftAlone,
    MessagesGivenUp,
)

FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
MOST_ATTEMPTS = 6
# Fewer than those that failed, since each of them takes a worker along or keeps one busy until the
# deadline; more than one, since a worker also dies of what is not its job's fault.
MOST_TAKINGS = 3
# So long what is ended has to end. What does not is left to itself.
ENDING_SECONDS = 5.0
# What is away comes back without anybody's doing: it is waited for.
AWAY = (
    DatabaseUnavailable,
    EmbeddingUnavailable,
    EmbeddingOutdated,
    CacheUnavailable,
    CopiesRemain,  # in Redis, while it is away
    LeftAlone,
    TimeoutError,
)
PATIENCE = timedelta(days=1)
OUTCOMES = ("done", "put_off", "given_up", "given_back")
_log = structlog.get_logger(__name__)


class GivenUp(Exception):
    """The last attempt at a job failed, for the reason that this says without anybody's words."""


class Unfinished(Exception):
    """The job was begun so many `times` and did not come back; says why, without anybody's
    words."""

    def __init__(self, reason: str, times: int) -> None:
        super().__init__(reason)
        self.times = times


class Lost(Exception):
    """The job is another worker's by now, or held: what came of it here does not count."""


def pause_before(attempts: int, chance: float) -> timedelta:
    """After so many attempts that failed before the one that failed now: twice as long each time,
    from FIRST_PAUSE to LONGEST_PAUSE. Up to half of it is left to `chance` (0 to 1), so that what
    failed together is not tried again together."""
    doubled = FIRST_PAUSE * 2.0 ** min(attempts, 20)
    return min(doubled, LONGEST_PAUSE) * (1 - chance / 2)


def is_given_up(error: Exception, attempts: int, age: timedelta) -> bool:
    """Whether a job of that age is not tried again, whose attempt failed after so many others. What
    is away is waited for PATIENCE long; what does not come back is tried MOST_TAKINGS times, all
    else MOST_ATTEMPTS times."""
    if isinstance(error, MessagesGivenUp):  # another attempt would find nothing left to say it of
        return True
    if isinstance(error, AWAY):
        return age >= PATIENCE
    if isinstance(error, Unfinished):
        return error.times >= MOST_TAKINGS
    return attempts + 1 >= MOST_ATTEMPTS


class Attempt(AbstractEntrypointExecutor):
    """Does a job once. What fails is put back into the queue or held there for somebody to look
    at, and so is what does not end by its deadline; what is cancelled, since the program ends, is
    given back."""

    def __init__(
        self,
        kind: Job,
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
        """Raises RetryRequested and GivenUp, without what they come from: the queue keeps a
        traceback, and its words could be somebody's."""
        began = time.monotonic()
        with structlog.contextvars.bound_contextvars(job=self._kind.name, job_id=job.id):
            try:
                await self._run(job)
            except asyncio.CancelledError:
                raise self._given_back() from None
            except Lost:
                _log.warning("job_lost", reason="no sign of life was given in time")
                raise GivenBack from None  # of what is another's nothing is written
            except Exception as error:
                raise await self._failed(job, error) from None
        self._count("done")
        seconds = time.monotonic() - began
        self._keepsake.counters.job_seconds.labels(self._kind.name).observe(seconds)

    async def _run(self, job: Taken) -> None:
        """Has it counted that the job is begun before it is. Raises Lost, Unfinished, and what the
        work raises."""
        takings = await self._queries.leases.take(job.id, MOST_TAKINGS)
        if takings is None:
            raise Lost
        if takings >= MOST_TAKINGS:
            raise Unfinished("whoever did it died of it, or stood still", takings)
        await self._work(job, takings + 1)

    async def _work(self, job: Taken, times: int) -> None:
        """Leaves nothing of the work running, unless that takes no end."""
        whose = (job.payload or b"").decode()
        work = asyncio.ensure_future(self._kind.run(self._keepsake, whose or None))
        with self._queries.loss_of(job.id) as lost:
            try:
                deadline = self._kind.deadline.total_seconds()
                await asyncio.wait({work, lost}, timeout=deadline, return_when=FIRST_COMPLETED)
                ended = work.done()
            finally:
                await _end(work)
        if lost.done():
            raise Lost
        if not ended:
            raise Unfinished(f"its deadline of {self._kind.deadline} was over", times)
        if work.cancelled():  # by itself: nobody has asked it to end
            raise Unfinished("it broke itself off", times)
        work.result()

    def _given_back(self) -> RetryRequested:
        if (task := asyncio.current_task()) is not None:
            task.uncancel()  # what follows is to be awaited
        self._count("given_back")
        return GivenBack(reason="given back")

    async def _failed(self, job: Taken, error: Exception) -> Exception:
        reason = _reason(error)
        if is_given_up(error, job.attempts, datetime.now(UTC) - job.created):
            self._count("given_up")
            _log.error("job_given_up", reason=reason, exc_info=_unexpected(error))
            await self._drop_older(job)
            return GivenUp(reason)
        unfinished = error if isinstance(error, Unfinished) else None
        earlier = unfinished.times - 1 if unfinished else job.attempts
        pause = pause_before(earlier, self._chance())
        self._count("put_off")
        seconds = round(pause.total_seconds(), 1)
        _log.warning("job_put_off", reason=reason, seconds=seconds, exc_info=_unexpected(error))
        return Ended(pause, reason) if unfinished else Failed(pause, reason)

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
    if isinstance(error, Unfinished):
        times = "once" if error.times == 1 else f"{error.times} times"
        return f"taken {times} and never finished: {error}"
    return str(error) if isinstance(error, KeepsakeError) else type(error).__name__


def _unexpected(error: Exception) -> Exception | None:
    return None if isinstance(error, KeepsakeError | TimeoutError | Unfinished) else error
