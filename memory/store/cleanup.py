"""Cleaning away memories of low quality, and its undo."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.models import Origin
from memory.store.audit import record
from memory.store.items import lock_user
from memory.store.queries import load_queries
from memory.store.retention import Retainable

_SQL = load_queries("cleanup")


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
        self, user_id: str, why: Mapping[UUID, str], origin: Origin, now: datetime
    ) -> list[UUID]:
        """Takes memories out of recall; those that went, since a protected one stays."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["clean"], user_id, list(why), now)
            for row in rows:
                reason = why[row["id"]]
                await record(connection, user_id, "cleaned", origin, row["id"], why=reason)
        return [row["id"] for row in rows]

    async def undo(self, user_id: str, origin: Origin) -> list[UUID]:
        """Brings back what the last cleaning took and is still there."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["undo"], user_id)
            for row in rows:
                await record(connection, user_id, "uncleaned", origin, row["id"])
        return [row["id"] for row in rows]
