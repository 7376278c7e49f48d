"""How often a job is tried, how long is waited in between, and when it is given up."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog
from pgqueuer.core.executors import AbstractEntrypointExecutor, EntrypointExecutorParameters
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Context
from pgqueuer.domain.models import Job as Taken

from app.wiring import Keepsake
from app.work.job import Job
from memory.errors import (
    CacheUnavailable,
    CopiesRemain,
    DatabaseUnavailable,
    EmbeddingOutdated,
    EmbeddingUnavailable,
    KeepsakeError,
    LeftAlone,
)

FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
MOST_ATTEMPTS = 6
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


def pause_before(attempts: int, chance: float) -> timedelta:
    """After so many failed attempts before the one that failed now: twice as long each time, from
    FIRST_PAUSE to LONGEST_PAUSE. Up to half of it is left to `chance` (0 to 1), so that what failed
    together is not tried again together."""
    doubled = FIRST_PAUSE * 2.0 ** min(attempts, 20)
    return min(doubled, LONGEST_PAUSE) * (1 - chance / 2)


def is_given_up(error: Exception, attempts: int, age: timedelta) -> bool:
    """Whether a job of that age is not tried again, whose attempt failed after so many others. What
    is away is waited for PATIENCE long; all else is tried MOST_ATTEMPTS times."""
    if isinstance(error, AWAY):
        return age >= PATIENCE
    return attempts + 1 >= MOST_ATTEMPTS


class Attempt(AbstractEntrypointExecutor):
    """Does a job once. What fails is put back into the queue or held there for somebody to look
    at; one that is cancelled, since the program ends, is given back."""

    def __init__(
        self, kind: Job, keepsake: Keepsake, chance: Callable[[], float] = random.random
    ) -> None:
        parameters = EntrypointExecutorParameters(
            concurrency_limit=kind.at_most or 0, func=self._run, on_failure="hold"
        )
        super().__init__(parameters)
        self._kind = kind
        self._keepsake = keepsake
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
            except Exception as error:
                raise await self._failed(job, error) from None
        self._count("done")
        seconds = time.monotonic() - began
        self._keepsake.counters.job_seconds.labels(self._kind.name).observe(seconds)

    async def _run(self, job: Taken) -> None:
        whose = (job.payload or b"").decode()
        await self._kind.run(self._keepsake, whose or None)

    def _given_back(self) -> RetryRequested:
        if (task := asyncio.current_task()) is not None:
            task.uncancel()  # what follows is to be awaited
        self._count("given_back")
        return RetryRequested(reason="given back")

    async def _failed(self, job: Taken, error: Exception) -> Exception:
        reason = str(error) if isinstance(error, KeepsakeError) else type(error).__name__
        if is_given_up(error, job.attempts, datetime.now(UTC) - job.created):
            self._count("given_up")
            _log.error("job_given_up", reason=reason, exc_info=_unexpected(error))
            await self._drop_older(job)
            return GivenUp(reason)
        pause = pause_before(job.attempts, self._chance())
        self._count("put_off")
        seconds = round(pause.total_seconds(), 1)
        _log.warning("job_put_off", reason=reason, seconds=seconds, exc_info=_unexpected(error))
        return RetryRequested(delay=pause, reason=reason)

    async def _drop_older(self, job: Taken) -> None:
        """What goes wrong here would take the reason's place, and what it comes from along."""
        try:
            await self._keepsake.everyone.queue.drop_older(job.id)
        except Exception as error:
            _log.warning("older_failure_kept", reason=type(error).__name__)

    def _count(self, outcome: str) -> None:
        self._keepsake.counters.jobs_done.labels(self._kind.name, outcome).inc()


def _unexpected(error: Exception) -> Exception | None:
    return None if isinstance(error, KeepsakeError | TimeoutError) else error
