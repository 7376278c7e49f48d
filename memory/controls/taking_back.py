"""Unlearning what only a message taught that was taken back."""

from __future__ import annotations

from memory.controls.forgetting import Forgetting
from memory.models import KeptItem, Origin
from memory.store.conversations.taking_back import TakenBack, TakingBackStore


class TakingBack:
    def __init__(self, store: TakingBackStore, forgetting: Forgetting) -> None:
        self._store = store
        self._forgetting = forgetting

    async def unlearn(self, user_id: str, taken: TakenBack, origin: Origin) -> list[KeptItem]:
        """Forgets what rests on the turn's messages alone, as a user would: it can be brought back
        within a day. What it had replaced holds again; and since nobody asked never to hear of it,
        it is kept again when it is said again. Memories that were pinned since stay.

        A crash in the middle leaves what had been replaced beside what replaced it, or forgotten
        what cannot be learned again for a day; an undo mends either.
        """
        if not taken.to_unlearn:
            return []
        alone = await self._store.unlearn(user_id, taken.turn_id, taken.to_unlearn, origin)
        if alone:
            forgotten = await self._forgetting.forget(
                user_id, [each.id for each in alone], origin, history="keep"
            )
            await self._store.let_return(user_id, forgotten.ids)
        return alone
