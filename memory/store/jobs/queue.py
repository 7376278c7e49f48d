"""The queue as the worker sees it: what waits, what runs, and what was given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.database import Database
from memory.store.jobs.requests import AT_ONCE, put_jobs
from memory.store.queries import load_queries

WORKER = "-"
MOST_USERS = 10_000
GIVEN_UP = "failed"
_SQL = load_queries("jobs/queue")


@dataclass(frozen=True)
class Queued:
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
class Backlog:
    """How many rows of a kind, `items` or `messages`, wait for their vector, the oldest since
    then."""

    noun: str
    count: int
    oldest: datetime | None


class JobQueue:
    """For a database that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, name: str, users: Sequence[str], *, after: timedelta = AT_ONCE) -> None:
        """See `memory.store.jobs.requests.put_jobs`."""
        async with self._database.as_user(WORKER) as connection:
            await put_jobs(connection, name, users, after=after)

    async def put_missing(self, name: str, users: Sequence[str], given_up_since: datetime) -> None:
        """A job for each of the users who has none that runs, and none that was given up since."""
        async with self._database.as_user(WORKER) as connection:
            await connection.execute(_SQL["put_missing"], name, list(users), given_up_since)

    async def users_lacking_vectors(self, before: datetime) -> list[str]:
        """Whose rows wait for their vector since before that moment, at most MOST_USERS."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["users_lacking_vectors"], before, MOST_USERS)
        return [row["user_id"] for row in rows]

    async def backlog(self) -> list[Backlog]:
        async with self._database.as_user(WORKER) as connection:
            return [Backlog(**row) for row in await connection.fetch(_SQL["backlog"])]

    async def states(self) -> dict[str, int]:
        """How many jobs are queued, picked and failed."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["states"])
        found = {row["status"]: row["count"] for row in rows}
        return {status: found.get(status, 0) for status in ("queued", "picked", GIVEN_UP)}

    async def listed(self, *, given_up: bool, limit: int) -> list[Queued]:
        """At most `limit` jobs, or of those `given_up` alone."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["listed"], given_up, limit)
        return [Queued(**row) for row in rows]

    async def requeue(self, ids: Sequence[int] | None) -> list[int]:
        """Has those given up begin anew, all of them where None is named; which."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["requeue"], None if ids is None else list(ids))
        return [row["id"] for row in rows]

    async def drop(self, ids: Sequence[int]) -> list[int]:
        """Takes away those given up; which."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["drop"], list(ids))
        return [row["id"] for row in rows]

    async def drop_older(self, job_id: int) -> None:
        """Takes away what of the same kind and user was given up before this job."""
        async with self._database.as_user(WORKER) as connection:
            await connection.execute(_SQL["drop_older"], job_id)

    async def sweep_log(self, before: datetime) -> None:
        """Takes away what the queue noted down before that moment."""
        async with self._database.as_user(WORKER) as connection:
            await connection.execute(_SQL["sweep_log"], before)
