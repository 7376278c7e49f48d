"""What happens to memories after they were kept, in one place for whoever runs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.models import Origin
from memory.store.upkeep.residents import Residents
from memory.upkeep.capacity import Capacity
from memory.upkeep.cleanup import Cleanup
from memory.upkeep.expiry import Expiry
from memory.upkeep.indexes import Indexes
from memory.upkeep.retention import Retention
from memory.upkeep.rolling_up.rolling_up import RollingUp


@dataclass(frozen=True)
class Lifecycle:
    """The upkeep of one user's memories at a time; every part names its user."""

    rolling_up: RollingUp
    retention: Retention
    cleanup: Cleanup
    indexes: Indexes
    expiry: Expiry
    capacity: Capacity
    residents: Residents

    async def keep_caps(self, user_id: str, now: datetime) -> int:
        """Keeps the cap of every space of the user, whatever was imported or seeded; how many
        memories were trimmed."""
        trimmed = 0
        for space in await self.residents.spaces(user_id):
            done = await self.capacity.enforce(user_id, space, origin=Origin("upkeep"), now=now)
            trimmed += len(done.ids)
        return trimmed
