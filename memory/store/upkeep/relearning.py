"""Memories whose SimHash and salience are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.database import Database
from memory.models import ItemType
from memory.store.queries import load_queries

_SQL = load_queries("upkeep/relearning")


@dataclass(frozen=True)
class Unmarked:
    id: UUID
    content: str
    type: ItemType
    pinned: bool


@dataclass(frozen=True)
class Marked:
    id: UUID
    content: str
    simhash: int
    salience: float


class Relearnable:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def unmarked(self, user_id: str, limit: int) -> list[Unmarked]:
        """At most `limit`, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["unmarked"], user_id, limit)
        return [Unmarked(**dict(row)) for row in rows]

    async def mark(self, user_id: str, rows: Sequence[Marked]) -> None:
        """Fills them; a memory that got other words meanwhile is left for the next time."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["mark"],
                user_id,
                [row.id for row in rows],
                [row.content for row in rows],
                [row.simhash for row in rows],
                [row.salience for row in rows],
            )
