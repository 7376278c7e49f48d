"""Cleaning up memories of low quality (002, step 5: `cleanup_memories`)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from memory.models import Origin
from memory.recall.choice.questions import is_question
from memory.store.upkeep.cleanup import CleanupStore
from memory.store.upkeep.retention import Retainable
from memory.upkeep.batches import BATCH, in_batches

Fault: TypeAlias = Literal["too short", "question"]


@dataclass(frozen=True)
class LowQuality:
    """What counts as low: fewer characters than `min_length` (002 has 50; 0 for none), and texts
    that only ask, where `questions` go."""

    min_length: int
    questions: bool = True

    def fault_of(self, content: str) -> Fault | None:
        if len(content.strip()) < self.min_length:
            return "too short"
        return "question" if self.questions and is_question(content) else None


def faulty(items: Sequence[Retainable], low: LowQuality) -> list[tuple[Retainable, Fault]]:
    """Those of low quality, each with what is wrong."""
    judged = [(item, low.fault_of(item.content)) for item in items]
    return [(item, fault) for item, fault in judged if fault is not None]


class Cleanup:
    """Pinned and manually saved memories and roll-ups stay."""

    def __init__(self, store: CleanupStore) -> None:
        self._store = store

    async def plan(self, user_id: str, low: LowQuality) -> list[tuple[Retainable, Fault]]:
        """What would go; nothing is changed."""
        items = await self._store.read(user_id)
        return await asyncio.to_thread(faulty, items, low)

    async def run(
        self, user_id: str, low: LowQuality, origin: Origin, now: datetime
    ) -> list[tuple[Retainable, Fault]]:
        """What went: out of recall, to be brought back by `undo` until retention removes it."""
        planned = await self.plan(user_id, low)
        gone: set[UUID] = set()
        for batch in in_batches(planned):
            gone.update(await self._store.clean(user_id, batch, origin, now))
        return [pair for pair in planned if pair[0].id in gone]

    async def undo(self, user_id: str, origin: Origin) -> int:
        """Brings back what the last cleaning took; how many."""
        cleaned_at, back = await self._store.last(user_id), 0
        while cleaned_at is not None:
            brought = await self._store.undo(user_id, cleaned_at, origin, BATCH)
            back += len(brought)
            if len(brought) < BATCH:
                break
        return back
