"""Keeping memories together with the cap of their space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from memory.models import NewItem, Origin, Outcome
from memory.upkeep.capacity import Capacity
from memory.write.remember import Remember


class Keeping:
    def __init__(self, remember: Remember, capacity: Capacity) -> None:
        self._remember = remember
        self._capacity = capacity

    async def keep(self, user_id: str, item: NewItem, origin: Origin) -> Outcome:
        """Keeps one memory and the cap of its space. Raises what `Remember.keep` raises."""
        outcome = await self._remember.keep(user_id, item, origin)
        await self.trim(user_id, item.space, [outcome], origin.correlation_id)
        return outcome

    async def keep_one_of_many(self, user_id: str, item: NewItem, origin: Origin) -> Outcome:
        """The same where more follow: whoever asks keeps the cap after the last (`trim_spaces`). To
        look through all that a space holds for each would take the longer the more there is."""
        return await self._remember.keep(user_id, item, origin)

    async def trim(
        self, user_id: str, space: str, outcomes: Sequence[Outcome], correlation_id: UUID | None
    ) -> None:
        """Keeps the cap after what was just kept."""
        counts = [outcome.held for outcome in outcomes if outcome.kind != "repeated"]
        if counts:
            known = [count for count in counts if count is not None]
            held = max(known) if len(known) == len(counts) else None
            origin = Origin("upkeep", correlation_id)
            await self._capacity.enforce(user_id, space, origin=origin, held=held)

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None:
        """Keeps the cap of each of them."""
        for space in set(spaces):
            await self._capacity.enforce(user_id, space, origin=Origin("upkeep"))

    async def above_cap(self, user_id: str) -> int:
        """How many memories are to go for the caps of the user's spaces, at the next write or at
        night."""
        return await self._capacity.above(user_id)
