"""Fills what memories from before the write path lack, so that their repeats are found too (000:
“backfill simhash values for all existing entries”)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memory.simhash import simhash64
from memory.store.upkeep.relearning import Marked, Relearnable, Unmarked
from memory.write.normalise import normalise
from memory.write.salience import salience

BATCH = 50


class Relearning:
    def __init__(self, relearnable: Relearnable) -> None:
        self._relearnable = relearnable

    async def run(self, user_id: str) -> int:
        """SimHash and salience of the user's memories that have no SimHash; how many."""
        filled = 0
        while rows := await self._relearnable.unmarked(user_id, BATCH):
            marked = await asyncio.to_thread(_all_marked, rows)
            await self._relearnable.mark(user_id, marked)
            filled += len(rows)
            if len(rows) < BATCH:
                break
        return filled


def _all_marked(rows: Sequence[Unmarked]) -> list[Marked]:
    return [_marked(row) for row in rows]


def _marked(row: Unmarked) -> Marked:
    return Marked(
        id=row.id,
        content=row.content,
        simhash=simhash64(normalise(row.content)),
        salience=salience(row.content, row.type, pinned=row.pinned),
    )
