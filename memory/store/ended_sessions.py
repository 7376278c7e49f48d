"""Which sessions of browsers were signed out before their time."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.store.queries import load_queries

_NOBODY = "-"  # no row says whose it is
_SQL = load_queries("ended_sessions")


class EndedSessions:
    """In the database, so that every process knows of it, whatever becomes of Redis."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def end(self, session_id: UUID, ends_at: datetime) -> None:
        """From now on it is good for nothing; `ends_at` is when it would have ended by itself.
        Raises DatabaseUnavailable."""
        async with self._database.as_user(_NOBODY) as connection:
            await connection.execute(_SQL["sweep"])
            await connection.execute(_SQL["end"], session_id, ends_at)

    async def has_ended(self, session_id: UUID) -> bool:
        """Raises DatabaseUnavailable."""
        async with self._database.as_user(_NOBODY) as connection:
            return bool(await connection.fetchval(_SQL["has_ended"], session_id))
