"""The job queue: asked for in the transaction that needs a job, looked at by the worker, and
leased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from memory.store.database import Connection, Database, load_queries
from memory.types import NO_USER

NO_DELAY = timedelta(0)
ALL_USERS = ""
# The kind of job that a tombstone asks for, see migrations/functions.sql.
ERASE_JOB = "memory_erase"
_SQL = load_queries("jobs")


async def request_job(
    connection: Connection, user_id: str, name: str, *, after: timedelta = NO_DELAY
) -> None:
    """Asks for a job of this user, to begin when `after` has passed at the earliest, and not
    before the caller's transaction is committed. Where one is queued that begins no later, or that
    is being tried again, that one is enough. The transaction has to be this user's.
    """
    await connection.execute(_SQL["request_job"], name, after, user_id)


async def enqueue_jobs(
    connection: Connection,
    name: str,
    users: Sequence[str],
    *,
    after: timedelta = NO_DELAY,
    urgent: bool = False,
) -> None:
    """The same for each of `users`, and with EVERYTHING among them for no user; an urgent one goes
    before others. For a transaction that acts as the worker."""
    await connection.execute(_SQL["put_jobs"], name, after, urgent, list(users))


MOST_USERS = 10_000
DEAD_STATUS = "failed"


@dataclass(frozen=True)
class QueuedJob:
    """A job in the queue. `whose` is empty where it is for everything; `status` is queued, picked
    or failed (given up); `reason` is why its last attempt failed, without anybody's words."""

    id: int
    name: str
    whose: str
    status: str
    attempts: int
    created: datetime
    execute_after: datetime
    updated: datetime
    reason: str | None


@dataclass(frozen=True)
class VectorBacklog:
    """How many rows of a kind, `items` or `messages`, wait for their vector, the oldest since
    then."""

    noun: str
    count: int
    oldest: datetime | None


class JobQueue:
    """The queue as the worker sees it: what waits, what runs, and what was given up. For a database
    that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, name: str, users: Sequence[str], *, after: timedelta = NO_DELAY) -> None:
        """See `memory.store.jobs.enqueue_jobs`."""
        async with self._database.as_user(NO_USER) as connection:
            await enqueue_jobs(connection, name, users, after=after)

    async def put_missing(self, name: str, users: Sequence[str], given_up_since: datetime) -> None:
        """A job for each of the users who has none that runs, and none that was given up since."""
        async with self._database.as_user(NO_USER) as connection:
            await connection.execute(_SQL["put_missing"], name, list(users), given_up_since)

    async def users_lacking_vectors(self, before: datetime) -> list[str]:
        """Whose rows wait for their vector since before that moment, at most MOST_USERS."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["users_lacking_vectors"], before, MOST_USERS)
        return [row["user_id"] for row in rows]

    async def backlog(self) -> list[VectorBacklog]:
        async with self._database.as_user(NO_USER) as connection:
            return [VectorBacklog(**row) for row in await connection.fetch(_SQL["backlog"])]

    async def states(self) -> dict[str, int]:
        """How many jobs are queued, picked and failed."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["states"])
        found = {row["status"]: row["count"] for row in rows}
        return {status: found.get(status, 0) for status in ("queued", "picked", DEAD_STATUS)}

    async def listed(self, *, given_up: bool, limit: int) -> list[QueuedJob]:
        """At most `limit` jobs, or of those `given_up` alone."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["listed"], given_up, limit)
        return [QueuedJob(**row) for row in rows]

    async def requeue(self, ids: Sequence[int] | None) -> list[int]:
        """Has those given up begin anew, all of them where None is named; which."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["requeue"], None if ids is None else list(ids))
        return [row["id"] for row in rows]

    async def drop(self, ids: Sequence[int]) -> list[int]:
        """Takes away those given up; which."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["drop"], list(ids))
        return [row["id"] for row in rows]

    async def drop_older(self, job_id: int) -> None:
        """Takes away what of the same kind and user was given up before this job."""
        async with self._database.as_user(NO_USER) as connection:
            await connection.execute(_SQL["drop_older"], job_id)

    async def sweep_log(self, before: datetime) -> None:
        """Takes away what the queue noted down before that moment."""
        async with self._database.as_user(NO_USER) as connection:
            await connection.execute(_SQL["sweep_log"], before)


FetchRows: TypeAlias = Callable[..., Awaitable[list[dict[str, Any]]]]


class JobLeases:
    """Of one worker, the `holder`. `fetch` is of a connection that acts as the worker.

    Of one that stood still for longer than its lease others took the jobs: what it says of them
    then changes nothing.
    """

    def __init__(self, fetch: FetchRows, holder: UUID) -> None:
        self._fetch = fetch
        self._holder = holder

    async def renew(self, ids: Iterable[int]) -> set[int]:
        """Those that are still this worker's, for another lease."""
        rows = await self._fetch(_SQL["renew"], list(ids), self._holder)
        return {row["id"] for row in rows}

    async def take(self, job_id: int, most: int) -> int | None:
        """Notes down that the job is begun, and says how often it was before without coming back:
        at most `most`. None where it is not this worker's any more."""
        rows = await self._fetch(_SQL["take"], job_id, self._holder, most)
        return rows[0]["takings"] if rows else None

    async def put_back(
        self, job_id: int, pause: timedelta, why: str, *, failed: bool, came_back: bool
    ) -> None:
        """To be tried again after the pause, by whoever takes it. `failed` counts an attempt; where
        it did not come back, but was ended, its taking stays counted."""
        await self._fetch(_SQL["put_back"], job_id, self._holder, pause, failed, came_back, why)

    async def give_back_all(self) -> None:
        """For who has none in hand, so that what it still holds are those that it could not say
        anything of when the database went: nothing is counted."""
        await self._fetch(_SQL["give_back_all"], self._holder)
