"""Cleaning away memories of low quality, and its undo."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.models import Origin
from memory.store.audit import record
from memory.store.memories.items import lock_user
from memory.store.queries import load_queries
from memory.store.upkeep.retention import Retainable

_SQL = load_queries("upkeep/cleanup")


class CleanupStore:
    """Every method names its user, and is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, user_id: str) -> list[Retainable]:
        """What may be cleaned away, in all spaces, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read"], user_id)
        return [Retainable(**dict(row)) for row in rows]

    async def clean(
        self,
        user_id: str,
        planned: Sequence[tuple[Retainable, str]],
        origin: Origin,
        now: datetime,
    ) -> list[UUID]:
        """Takes memories out of recall, each for its reason; those that went, since one that was
        changed or protected meanwhile stays."""
        why = {item.id: reason for item, reason in planned}
        contents = [item.content for item, _ in planned]
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["clean"], user_id, list(why), contents, now)
            for row in rows:
                reason = why[row["id"]]
                await record(connection, user_id, "cleaned", origin, row["id"], why=reason)
        return [row["id"] for row in rows]

    async def last(self, user_id: str) -> datetime | None:
        """When the last cleaning was of which something can be brought back."""
        async with self._database.as_user(user_id) as connection:
            found: datetime | None = await connection.fetchval(_SQL["last"], user_id)
        return found

    async def undo(
        self, user_id: str, cleaned_at: datetime, origin: Origin, limit: int
    ) -> list[UUID]:
        """Brings back what that cleaning took and is still there, at most `limit`."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["undo"], user_id, cleaned_at, limit)
            for row in rows:
                await record(connection, user_id, "uncleaned", origin, row["id"])
        return [row["id"] for row in rows]
