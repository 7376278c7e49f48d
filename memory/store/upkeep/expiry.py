"""How long it is kept what was done, and the proof of what was erased."""

from __future__ import annotations

from datetime import datetime

from memory.database import Database
from memory.store.queries import load_queries

_SQL = load_queries("upkeep/expiry")


class ExpiryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def expire_tombstones(self, user_id: str, before: datetime) -> int:
        """Removes the tombstones of what was erased before then; one that still keeps a memory
        from coming back stays."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(_SQL["expire_tombstones"], user_id, before)
        return int(done.split()[-1])

    async def expire_audit(self, user_id: str, before: datetime) -> int:
        """Removes the entries of the audit log from before then; the database refuses any that is
        younger than thirty days."""
        async with self._database.as_user(user_id) as connection:
            return int(await connection.fetchval(_SQL["expire_audit"], before))
