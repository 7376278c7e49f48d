"""`python -m app jobs`: what waits in the queue, what is being done, and what was given up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from app.console import Progress, make_console, pluralize, print_table
from app.runner import Shutdown
from app.services import open_services, prepare_schema
from memory.config import Settings
from memory.errors import InvalidInput, SchemaOutdated
from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import DEAD_STATUS, JobQueue, QueuedJob

JobCommand = Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]
MOST_LISTED = 1000
COLUMNS = ("id", "job", "user", "state", "attempts", "when", "why the last attempt failed")
_STATES = {"queued": "waits", "picked": "being done", DEAD_STATUS: "given up"}


def list_jobs(*, dead: bool) -> JobCommand:
    """Jobs, or of those given up alone."""

    async def show(settings: Settings, _leaving: Shutdown) -> int:
        async with _queue(settings) as queue:
            found = await queue.listed(given_up=dead, limit=MOST_LISTED)
        now = datetime.now(UTC)
        title = f"{_counted(found)} given up" if dead else f"{_counted(found)} in the queue"
        print_table(make_console(), title, COLUMNS, [job_row(job, now) for job in found])
        return 0

    return show


def requeue_jobs(ids: Sequence[int] | None) -> JobCommand:
    """Has those given up begin anew, all of them where None is named. Raises InvalidInput for an
    id that is not one of theirs; the others are begun."""

    async def requeue(settings: Settings, _leaving: Shutdown) -> int:
        async with _queue(settings) as queue:
            begun = await queue.requeue(ids)
        make_console().print(f"{_counted(begun)} to be done anew.")
        _refuse_unknown(ids or (), begun)
        return 0

    return requeue


def drop_jobs(ids: Sequence[int]) -> JobCommand:
    """Takes away those given up. Raises InvalidInput as `requeue_jobs` does."""

    async def drop(settings: Settings, _leaving: Shutdown) -> int:
        async with _queue(settings) as queue:
            gone = await queue.drop(ids)
        make_console().print(f"{_counted(gone)} taken away.")
        _refuse_unknown(ids, gone)
        return 0

    return drop


def job_row(job: QueuedJob, now: datetime) -> tuple[str, ...]:
    """The cells under COLUMNS; `when` is when the job begins, or when it was given up."""
    waits = job.status == "queued" and job.execute_after > now
    when = job.execute_after if waits else job.updated
    return (
        str(job.id),
        job.name,
        job.whose or "everybody",
        _STATES.get(job.status, job.status),
        str(job.attempts),
        f"{when:%Y-%m-%d %H:%M:%S}",
        job.reason or "",
    )


def _refuse_unknown(wanted: Sequence[int], done: Sequence[int]) -> None:
    if missing := sorted(set(wanted) - set(done)):
        named = ", ".join(map(str, missing))
        raise InvalidInput(
            reason=f"Of these none was given up: {named}. See: python -m app jobs list --dead"
        )


def _counted(found: Sequence[object]) -> str:
    return pluralize(len(found), "job", "jobs")


@asynccontextmanager
async def _queue(settings: Settings) -> AsyncIterator[JobQueue]:
    """Over the database alone. Raises InvalidInput where the login may not act as the worker."""
    async with open_services(settings, Progress()) as (addresses, _services):
        await prepare_schema(addresses, settings)
        try:
            database = await Database.open(addresses.database_url, role=WORKER_ROLE, connections=1)
        except SchemaOutdated:
            raise InvalidInput(
                reason="This login of the database may not act as the worker. Name the worker's "
                "login in DATABASE_URL."
            ) from None
        try:
            yield JobQueue(database)
        finally:
            await database.close()
