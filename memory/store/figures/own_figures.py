"""One user's memory in numbers, for that user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.database import Database
from memory.store.queries import load_queries

_SQL = load_queries("figures/own_figures")


@dataclass(frozen=True)
class OwnFigures:
    """How many memories are in recall by bank, how many there are by state, and what was done
    with them by the name of the audit log; the most of each first."""

    banks: dict[str, int]
    states: dict[str, int]
    actions: dict[str, int]


class OwnFiguresStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, user_id: str, since: datetime) -> OwnFigures:
        """`since` is of what was done."""
        async with self._database.as_user(user_id) as connection:
            banks = await connection.fetch(_SQL["banks"], user_id)
            states = await connection.fetch(_SQL["states"], user_id)
            actions = await connection.fetch(_SQL["actions"], user_id, since)
        return OwnFigures(
            banks={row["bank"]: row["count"] for row in banks},
            states={row["state"]: row["count"] for row in states},
            actions={row["action"]: row["count"] for row in actions},
        )
