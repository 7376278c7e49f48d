"""What the worker sees of all users at once: rows without a vector, and whose erasure is due."""

from __future__ import annotations

from datetime import datetime

from memory.store.forgetting import ForgettingStore
from memory.upkeep.backfill import Backfill


class Everyone:
    """Over a database that acts as the worker. What touches a user's words is done as that user,
    through `Memory`."""

    def __init__(self, backfill: Backfill, forgetting: ForgettingStore) -> None:
        self._backfill = backfill
        self._forgetting = forgetting

    async def embed_waiting(self) -> int:
        """Fills the missing vectors of all users; see `Backfill.run`."""
        return await self._backfill.run(None)

    async def users_with_due(self, now: datetime) -> list[str]:
        """Those of whose forgotten memories some wait to be erased."""
        return await self._forgetting.users_with_due(now)
