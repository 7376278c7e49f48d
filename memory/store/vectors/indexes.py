"""What of the memories the vectors and the keyword index hold."""

from __future__ import annotations

from datetime import datetime

from memory.database import Database
from memory.models import Origin
from memory.store.audit import record
from memory.store.queries import load_queries

_SQL = load_queries("vectors/indexes")


class IndexStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune_vectors(
        self, user_id: str, removed_before: datetime, replaced_before: datetime, origin: Origin
    ) -> int:
        """Drops the vectors of what went out of recall or was replaced before then; how many."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(
                _SQL["prune_vectors"], user_id, removed_before, replaced_before
            )
            if count := int(done.split()[-1]):
                await record(connection, user_id, "vectors_pruned", origin, count=count)
        return count

    async def level_keywords(self, user_id: str, since: datetime, *, all_levels: bool) -> int:
        """Leaves in the keyword index every memory, or else roll-ups, what the user asked to keep
        and what was learned `since`; how many were taken in or left out."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(_SQL["level_keywords"], user_id, since, all_levels)
        return int(done.split()[-1])
