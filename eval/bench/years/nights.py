"""The two years as they pass: what is said comes in, and the upkeep of the nights goes over it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from eval.bench.years.life import BEGIN, END, Said
from eval.system import System
from memory.service import Memory
from memory.store.memories.items import EmbeddedItem, Items
from memory.understanding import OfflineReader
from memory.write.preparing import Preparer

NIGHTS_BETWEEN = 7
_BATCH = 250
_EMBED_SECONDS = 60.0
_REPLACE = """
UPDATE memory_items SET superseded_by = $2, valid_to = $3 WHERE user_id = $1 AND id = $4
"""


class Years:
    """One user's. `prepared` are the memories by their place."""

    def __init__(
        self, system: System, memory: Memory, user_id: str, prepared: Mapping[int, EmbeddedItem]
    ) -> None:
        self._database = system.database
        self._items = Items(system.database)
        self._memory = memory
        self._user_id = user_id
        self._prepared = prepared
        self.ids: dict[int, UUID] = {}
        self.night_seconds: list[float] = []

    async def pass_by(
        self, said: Sequence[Said], advance: Callable[[int], None], *, upkeep: bool
    ) -> None:
        """Every NIGHTS_BETWEEN days what was said since is kept, and with `upkeep` a night is
        done."""
        waiting, now = list(said), BEGIN
        while now < END:
            now = min(now + timedelta(days=NIGHTS_BETWEEN), END)
            week = [each for each in waiting if (each.item.created_at or BEGIN) < now]
            waiting = waiting[len(week) :] if now < END else []
            await self._keep(week if now < END else [*week, *waiting])
            if upkeep:
                await self._night(now)
            advance(len(week))

    async def _keep(self, week: Sequence[Said]) -> None:
        kept = await self._items.save_all(
            self._user_id, [self._prepared[each.place] for each in week]
        )
        self.ids |= {each.place: item.id for each, item in zip(week, kept, strict=True)}
        replaced = [
            (self._user_id, self.ids[each.place], each.item.created_at, self.ids[each.replaces])
            for each in week
            if each.replaces is not None
        ]
        async with self._database.as_user(self._user_id) as connection:
            await connection.executemany(_REPLACE, replaced)

    async def _night(self, now: datetime) -> None:
        began, lifecycle = time.perf_counter(), self._memory.lifecycle
        await lifecycle.rolling_up.run(self._user_id, now)
        await lifecycle.keep_caps(self._user_id, now)
        await lifecycle.indexes.prune_vectors(self._user_id, now)
        await lifecycle.retention.run(self._user_id, now)
        self.night_seconds.append(time.perf_counter() - began)


async def prepared(
    system: System, said: Sequence[Said], advance: Callable[[int], None]
) -> dict[int, EmbeddedItem]:
    """Every memory with its vector, made once for both users."""
    preparer = Preparer(system.embedder, OfflineReader(), embedding_timeout=_EMBED_SECONDS)
    made: dict[int, EmbeddedItem] = {}
    for start in range(0, len(said), _BATCH):
        batch = said[start : start + _BATCH]
        ready = await preparer.as_given([each.item for each in batch])
        made |= {each.place: new for each, new in zip(batch, ready, strict=True)}
        advance(len(batch))
    return made
