"""Bringing a memory back, whatever took it away."""

from __future__ import annotations

from uuid import UUID

from memory.controls.entries import Entries
from memory.controls.forgetting import Forgetting
from memory.models import KeptItem, Origin
from memory.store.memories.doubts import Doubts
from memory.upkeep.capacity import Capacity


class Restoring:
    def __init__(
        self, forgetting: Forgetting, entries: Entries, capacity: Capacity, doubts: Doubts
    ) -> None:
        self._forgetting = forgetting
        self._entries = entries
        self._capacity = capacity
        self._doubts = doubts

    async def restore(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Brings a memory back that was forgotten within the day, trimmed, or replaced; what
        replaced it stays. One that is there is left as it is. Raises NotFound."""
        if await self._forgetting.undo(user_id, [item_id], origin):
            return await self._entries.read(user_id, item_id)
        item = await self._entries.read(user_id, item_id)
        if item.deleted_at is not None:
            item = await self._capacity.bring_back(user_id, item_id, origin)
        if item.superseded_by is None:
            return item
        return await self._doubts.undo_supersede(user_id, item_id, origin=origin)
