"""How many memories there are, of all users together."""

from __future__ import annotations

from memory.database import Database
from memory.store.queries import load_queries

WORKER = "-"
_SQL = load_queries("figures/census")


class Census:
    """For a database that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def banks(self) -> dict[str, int]:
        """Living memories by bank."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["banks"])
        return {row["bank"]: row["count"] for row in rows}
