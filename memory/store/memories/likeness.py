"""How alike memories are to each other, by their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.database import Database
from memory.store.queries import load_queries

_SQL = load_queries("memories/likeness")


class Likeness:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def between(self, user_id: str, ids: Sequence[UUID]) -> dict[tuple[UUID, UUID], float]:
        """The cosine of each pair that has two vectors, by the lower id and the higher one."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["between"], user_id, list(ids))
        return {(row["one"], row["other"]): row["cosine"] for row in rows}
