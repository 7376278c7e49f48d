"""How many there are of what, of all users together: for a database that acts as the worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from memory.database import Database
from memory.store.queries import load_queries

JobState = Literal["waiting", "later", "running", "dead"]
NO_JOBS: dict[JobState, int] = dict.fromkeys(get_args(JobState), 0)
WORKER = "-"
_SQL = load_queries("census")


@dataclass(frozen=True)
class Backlog:
    """Rows that wait for their vector; `age` is the oldest one's, in seconds."""

    count: int
    age: float


@dataclass(frozen=True)
class Counts:
    banks: dict[str, int]
    jobs: dict[JobState, int]
    backlog: dict[str, Backlog]


class Census:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self) -> Counts:
        """Counts now. Every state of a job is in it, with 0 where there is none. Raises
        DatabaseUnavailable, and SchemaOutdated where the login may not act as the worker."""
        async with self._database.as_user(WORKER) as connection:
            banks = await connection.fetch(_SQL["banks"])
            jobs = await connection.fetch(_SQL["jobs"])
            backlog = await connection.fetch(_SQL["backlog"])
        return Counts(
            banks={row["bank"]: row["count"] for row in banks},
            jobs=dict.fromkeys(get_args(JobState), 0)
            | {row["state"]: row["count"] for row in jobs},
            backlog={row["noun"]: Backlog(row["count"], row["age"]) for row in backlog},
        )
