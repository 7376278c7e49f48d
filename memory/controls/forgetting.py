"""Forgetting by the user: shown before, undone within a day, proved afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.clock import Clock, local_clock
from memory.controls.hearers import Hearers
from memory.controls.proof import Proof, Prover
from memory.controls.said import Found, Said
from memory.counters import Counters
from memory.models import KeptItem, Origin
from memory.store.forgetting.erasing import Removal
from memory.store.forgetting.forgetting import ForgettingStore, Forgotten, History
from memory.store.forgetting.parts import Part
from memory.store.forgetting.unsaying import Besides, Unsaying
from memory.store.memories.items import Still
from memory.upkeep.erasure import Erasure
from memory.write.pairs import Pairs


class Forgetting:
    """Every method names its user. An id of another user is NotFound. What the `pairs` remembers
    is dropped with what is forgotten or erased. `said` forgets what was said and not kept, and
    tells the same `hearers`."""

    def __init__(
        self,
        store: ForgettingStore,
        erasure: Erasure,
        prover: Prover,
        pairs: Pairs,
        said: Said,
        *,
        hearers: Hearers | None = None,
        counters: Counters | None = None,
        clock: Clock = local_clock,
    ) -> None:
        self.said = said
        self.hearers = hearers or Hearers()
        self._counters = counters or Counters()
        self._clock = clock
        self._store = store
        self._erasure = erasure
        self._prover = prover
        self._pairs = pairs

    async def preview(self, user_id: str, ids: Sequence[UUID]) -> list[KeptItem]:
        """What forgetting these would take: themselves in the order named, then their older
        versions and the roll-ups of them. Raises NotFound."""
        return await self._store.preview(user_id, ids)

    async def forget(
        self,
        user_id: str,
        ids: Sequence[UUID],
        origin: Origin,
        *,
        for_good: bool = False,
        history: History = "redact",
        still: Still | None = None,
        said: Found | None = None,
        asked_in: UUID | None = None,
        parts: tuple[Part, ...] = (),
        now: datetime | None = None,
    ) -> Forgotten:
        """Takes the memories out of recall and listing at once, with their older versions and the
        roll-ups made from them; they are erased after a day, `for_good` now. All of it or nothing.

        `history` is what becomes of what was `said` about it (see `Said.forget`) and of the turn
        `asked_in`: kept, redacted or deleted. Of `parts` (see `Parting.parts`) the rest is kept,
        which an undo takes away. Raises NotFound, and ChangedMeanwhile where `still` or a part
        says that one is not what was looked at.
        """
        now = now or self._clock()
        unsaying = None if said is None else await self.said.unsaying(user_id, said, history)
        forgotten = await self._store.forget(
            user_id,
            ids,
            origin,
            now,
            for_good=for_good,
            history=history,
            still=still,
            besides=Besides(unsaying, asked_in, parts),
        )
        self._counters.count_action("forget", len(ids))
        await self._clear_copies_after(user_id, unsaying, origin, history)
        await self._erase_at_once(user_id, forgotten, now, origin)
        return forgotten

    async def _clear_copies_after(
        self, user_id: str, unsaying: Unsaying | None, origin: Origin, history: History
    ) -> None:
        self._pairs.clear()
        if unsaying is not None:
            await self.said.clear_copies_after(user_id, unsaying, origin)
        if history != "keep":
            self.hearers.tell(user_id, origin.correlation_id)

    async def _erase_at_once(
        self, user_id: str, forgotten: Forgotten, now: datetime, origin: Origin
    ) -> None:
        """Where nothing of it can be brought back."""
        if forgotten.undo_until is not None:
            return
        await self._erasure.erase(user_id, forgotten.ids, now, origin)
        self.hearers.tell(user_id, origin.correlation_id)

    async def undo(self, user_id: str, ids: Sequence[UUID] | None, origin: Origin) -> list[UUID]:
        """Brings back what is not erased yet; without ids, what was forgotten last. Empty where
        nothing can be brought back."""
        back = await self._store.undo(user_id, ids, origin)
        self._counters.count_action("restore", len(back))
        return back

    async def erase_due(self, user_id: str, now: datetime | None = None) -> list[UUID]:
        """Erases what has waited long enough; see `Erasure.erase_due`."""
        erased = await self._erasure.erase_due(user_id, now or self._clock())
        if erased:
            self._pairs.clear()
            self.hearers.tell(user_id)
        return erased

    async def foreseen(self, user_id: str, messages: Sequence[UUID]) -> Removal:
        """What will become of these messages with what was forgotten; see `Erasure.foreseen`."""
        return await self._erasure.foreseen(user_id, messages)

    async def prove(self, user_id: str, item_id: UUID, words: str | None = None) -> Proof:
        """What was removed, when, and whether anything is left of it; see `Prover.prove`. Raises
        NotFound for what was never forgotten."""
        return await self._prover.prove(user_id, item_id, words)

    async def named(self, user_id: str, beginning: str) -> UUID:
        """The forgotten memory whose id begins so; see `Prover.named`."""
        return await self._prover.named(user_id, beginning)
