"""Forgetting by the user: shown before, undone within a day, proved afterwards; and bringing
memories back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.actions.entries import Entries
from memory.actions.forgetting.cache_invalidation import ForgettingListeners
from memory.actions.forgetting.erasure import Erasure
from memory.actions.forgetting.proof import ErasureProof, ErasureProver
from memory.actions.forgetting.redaction import FORGOTTEN_MARK
from memory.actions.forgetting.transcript_redaction import TranscriptMatches, TranscriptRedactor
from memory.clock import Clock, local_clock
from memory.ingestion.deduplication import RelationCache
from memory.maintenance.capacity import Capacity
from memory.metrics import MemoryMetrics
from memory.store.conflicts import ConflictStore
from memory.store.conversations import RetractedTurn, RetractionStore
from memory.store.forgetting import (
    ExtraDeletions,
    ForgetResult,
    ForgettingStore,
    HistoryChoice,
    PartialForgetting,
    TranscriptRedaction,
)
from memory.store.memories import IsUnchanged
from memory.types import Origin, StoredMemory


class ForgettingService:
    """Every method names its user. An id of another user is NotFound. What the `pairs` remembers
    is dropped with what is forgotten or erased. `said` forgets what was said and not kept, and
    tells the same `hearers`."""

    def __init__(
        self,
        store: ForgettingStore,
        erasure: Erasure,
        prover: ErasureProver,
        pairs: RelationCache,
        said: TranscriptRedactor,
        *,
        hearers: ForgettingListeners | None = None,
        counters: MemoryMetrics | None = None,
        clock: Clock = local_clock,
    ) -> None:
        self.said = said
        self.hearers = hearers or ForgettingListeners()
        self._counters = counters or MemoryMetrics()
        self._clock = clock
        self._store = store
        self._erasure = erasure
        self._prover = prover
        self._pairs = pairs

    async def preview(self, user_id: str, ids: Sequence[UUID]) -> list[StoredMemory]:
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
        history: HistoryChoice = "redact",
        still: IsUnchanged | None = None,
        said: TranscriptMatches | None = None,
        asked_in: UUID | None = None,
        parts: tuple[PartialForgetting, ...] = (),
        now: datetime | None = None,
    ) -> ForgetResult:
        """Takes the memories out of recall and listing at once, with their older versions and the
        roll-ups made from them; they are erased after a day, `for_good` now, or as soon as the
        caches can be reached. All of it or nothing.

        `history` is what becomes of what was `said` about it (see `TranscriptRedactor.forget`) and
        of the turn `asked_in`: kept, redacted or deleted. Of `parts` (see `MemoryCutter.parts`) the
        rest is kept, which an undo takes away. Raises CopiesRemain as `TranscriptRedactor.forget`
        does, NotFound, and ChangedMeanwhile where `still` or a part says that one is not what was
        looked at.
        """
        now = now or self._clock()
        unsaying = None
        if said is not None:
            await self.said.clear_copies(user_id, said)
            unsaying = await self.said.unsaying(user_id, said, history)
        forgotten = await self._store.forget(
            user_id,
            ids,
            origin,
            now,
            for_good=for_good,
            history=history,
            still=still,
            besides=ExtraDeletions(unsaying, asked_in, parts),
        )
        self._counters.count_action("forget", len(ids))
        await self._clear_copies_after(user_id, unsaying, origin, history)
        if not for_good:
            return forgotten
        return replace(
            forgotten, erased=await self._erase_at_once(user_id, forgotten.ids, now, origin)
        )

    async def _clear_copies_after(
        self,
        user_id: str,
        unsaying: TranscriptRedaction | None,
        origin: Origin,
        history: HistoryChoice,
    ) -> None:
        self._pairs.clear()
        if unsaying is not None:
            await self.said.clear_copies_again(user_id, unsaying, origin)
        if history != "keep":
            self.hearers.tell(user_id, origin.correlation_id)

    async def _erase_at_once(
        self, user_id: str, ids: Sequence[UUID], now: datetime, origin: Origin
    ) -> bool:
        """Whether all of it is gone; False where it waits for a cache."""
        await self._erasure.erase(user_id, ids, now, origin)
        self.hearers.tell(user_id, origin.correlation_id)
        return not await self._erasure.waits(user_id, ids, now)

    async def undo(
        self,
        user_id: str,
        ids: Sequence[UUID] | None,
        origin: Origin,
        *,
        space: str | None = None,
    ) -> list[UUID]:
        """Brings back what is not erased yet; without ids, what was forgotten last, in that space
        or in any. Empty where nothing can be brought back."""
        back = await self._store.undo(user_id, ids, origin, space)
        self._counters.count_action("restore", len(back))
        return back

    async def erase_due(self, user_id: str, now: datetime | None = None) -> list[UUID]:
        """Erases what has waited long enough; see `Erasure.erase_due`."""
        erased = await self._erasure.erase_due(user_id, now or self._clock())
        if erased:
            self._pairs.clear()
            self.hearers.tell(user_id)
        return erased

    async def words_left(self, user_id: str, messages: Sequence[UUID]) -> dict[UUID, str]:
        """What those of these messages will say that lose words once what was forgotten is erased:
        no more is shown of them, though it waits for an undo."""
        plan = await self._erasure.foreseen(user_id, messages)
        return dict.fromkeys(plan.taken, FORGOTTEN_MARK) | dict(plan.reworded)

    async def prove(self, user_id: str, item_id: UUID, words: str | None = None) -> ErasureProof:
        """What was removed, when, and whether anything is left of it; see `ErasureProver.prove`.
        Raises NotFound for what was never forgotten."""
        return await self._prover.prove(user_id, item_id, words)

    async def named(self, user_id: str, beginning: str) -> UUID:
        """The forgotten memory whose id begins so; see `ErasureProver.named`."""
        return await self._prover.named(user_id, beginning)


class MemoryRestorer:
    """Brings a memory back, whatever took it away."""

    def __init__(
        self,
        forgetting: ForgettingService,
        entries: Entries,
        capacity: Capacity,
        doubts: ConflictStore,
    ) -> None:
        self._forgetting = forgetting
        self._entries = entries
        self._capacity = capacity
        self._doubts = doubts

    async def restore(self, user_id: str, item_id: UUID, origin: Origin) -> StoredMemory:
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


class TurnRetraction:
    """Unlearns what only a message taught that was taken back."""

    def __init__(self, store: RetractionStore, forgetting: ForgettingService) -> None:
        self._store = store
        self._forgetting = forgetting

    async def unlearn(
        self, user_id: str, taken: RetractedTurn, origin: Origin
    ) -> list[StoredMemory]:
        """Forgets what rests on the turn's messages alone, as a user would: it can be brought back
        within a day. What it had replaced holds again; and since nobody asked never to hear of it,
        it is kept again when it is said again. Memories that were pinned since stay.

        A crash in the middle leaves what had been replaced beside what replaced it, or forgotten
        what cannot be learned again for a day; an undo mends either.
        """
        if not taken.messages_to_unlearn:
            return []
        alone = await self._store.unlearn(user_id, taken.turn_id, taken.messages_to_unlearn, origin)
        if alone:
            forgotten = await self._forgetting.forget(
                user_id, [each.id for each in alone], origin, history="keep"
            )
            await self._store.allow_relearning(user_id, forgotten.ids)
        return alone
