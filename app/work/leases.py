"""What pgqueuer writes down of a job, as long as it is this worker's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import cast
from uuid import UUID

from pgqueuer.adapters.persistence.qb import (
    DBSettings,
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Job as Taken
from pgqueuer.domain.models import TracebackRecord
from pgqueuer.domain.types import JOB_STATUS, JobId
from pgqueuer.ports.driver import Driver

from memory.store.jobs.leases import Fetch, Leases


class Failed(RetryRequested):
    """The job came back with an error: a failed attempt, tried again after a pause."""


class Ended(RetryRequested):
    """The job did not come back and was ended: its taking stays counted."""


class GivenBack(RetryRequested):
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
        self.leases = Leases(cast(Fetch, driver.fetch), holder)
        self._losses: dict[int, asyncio.Future[None]] = {}

    @contextmanager
    def loss_of(self, job_id: int) -> Iterator[asyncio.Future[None]]:
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
            failed=kind == Failed.__name__,
            came_back=kind != Ended.__name__,
        )

    async def log_jobs(
        self, job_status: list[tuple[Taken, JOB_STATUS, TracebackRecord | None]]
    ) -> None:
        held = await self.leases.renew(job.id for job, _, _ in job_status)
        if said := [each for each in job_status if each[0].id in held]:
            await super().log_jobs(said)
