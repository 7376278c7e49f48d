"""Who has memories, and where, and of whom something is noted."""

from __future__ import annotations

from memory.database import Database
from memory.store.queries import load_queries

WORKER = "-"
_SQL = load_queries("upkeep/residents")


class Residents:
    """`users` and `noted` are for a database that acts as the worker, `spaces` for one that acts as
    the application."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def users(self, after: str, limit: int) -> list[str]:
        """The next users who have memories, in the order of their names."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["users"], after, limit)
        return [row["user_id"] for row in rows]

    async def noted(self, after: str, limit: int) -> list[str]:
        """The next users of whom there is an audit log or a tombstone, whether or not they have
        memories left, in the order of their names."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["noted"], after, limit)
        return [row["user_id"] for row in rows]

    async def spaces(self, user_id: str) -> list[str]:
        """The spaces in which the user has memories."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["spaces"], user_id)
        return [row["space"] for row in rows]
