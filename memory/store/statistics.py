"""How many memories there are, and what all programs counted, of all users together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from memory.store.database import Database, load_queries
from memory.types import NO_USER

_SQL = load_queries("statistics")


class BankStatistics:
    """For a database that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def banks(self) -> dict[str, int]:
        """Living memories by bank."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["banks_of_all_users"])
        return {row["bank"]: row["count"] for row in rows}


@dataclass(frozen=True)
class UserStatistics:
    """How many memories are in recall by bank, how many there are by state, and what was done
    with them by the name of the audit log; the most of each first."""

    banks: dict[str, int]
    states: dict[str, int]
    actions: dict[str, int]


class UserStatisticsStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, user_id: str, since: datetime) -> UserStatistics:
        """`since` is of what was done."""
        async with self._database.as_user(user_id) as connection:
            banks = await connection.fetch(_SQL["banks"], user_id)
            states = await connection.fetch(_SQL["states"], user_id)
            actions = await connection.fetch(_SQL["actions"], user_id, since)
        return UserStatistics(
            banks={row["bank"]: row["count"] for row in banks},
            states={row["state"]: row["count"] for row in states},
            actions={row["action"]: row["count"] for row in actions},
        )


@dataclass(frozen=True)
class MetricSample:
    """A counter, or one number of a histogram, by its exported name and its labels."""

    name: str
    labels: Mapping[str, str]
    value: float


class MetricTotalStore:
    """What all programs counted, by day: they come and go, and the sums stay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, day: date, counted: Sequence[MetricSample]) -> None:
        """Adds what was counted since the last time to the sums of the day, in UTC."""
        async with self._database.as_user(NO_USER) as connection:
            await connection.execute(
                _SQL["add"],
                day,
                [each.name for each in counted],
                [json.dumps(dict(each.labels), sort_keys=True) for each in counted],
                [each.value for each in counted],
            )

    async def read(self, since: date) -> dict[date, list[MetricSample]]:
        """From that day on, days on which nothing was counted left out."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["read"], since)
        days: dict[date, list[MetricSample]] = {}
        for row in rows:
            counted = MetricSample(row["name"], json.loads(row["labels"]), row["value"])
            days.setdefault(row["day"], []).append(counted)
        return days

    async def expire(self, before: date) -> int:
        """Takes away what is older; how many sums. For a database that acts as the worker."""
        async with self._database.as_user(NO_USER) as connection:
            return int(await connection.fetchval(_SQL["expire"], before))
