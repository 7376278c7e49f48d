"""What all programs counted, by day: they come and go, and the sums stay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memory.database import Database
from memory.store.queries import load_queries

NOBODY = "-"  # no row is a user's
_SQL = load_queries("figures/metric_totals")


@dataclass(frozen=True)
class Counted:
    """A counter, or one number of a histogram, by its exported name and its labels."""

    name: str
    labels: Mapping[str, str]
    value: float


class MetricTotals:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, day: date, counted: Sequence[Counted]) -> None:
        """Adds what was counted since the last time to the sums of the day, in UTC."""
        async with self._database.as_user(NOBODY) as connection:
            await connection.execute(
                _SQL["add"],
                day,
                [each.name for each in counted],
                [json.dumps(dict(each.labels), sort_keys=True) for each in counted],
                [each.value for each in counted],
            )

    async def read(self, since: date) -> dict[date, list[Counted]]:
        """From that day on, days on which nothing was counted left out."""
        async with self._database.as_user(NOBODY) as connection:
            rows = await connection.fetch(_SQL["read"], since)
        days: dict[date, list[Counted]] = {}
        for row in rows:
            counted = Counted(row["name"], json.loads(row["labels"]), row["value"])
            days.setdefault(row["day"], []).append(counted)
        return days

    async def expire(self, before: date) -> int:
        """Takes away what is older; how many sums. For a database that acts as the worker."""
        async with self._database.as_user(NOBODY) as connection:
            return int(await connection.fetchval(_SQL["expire"], before))
