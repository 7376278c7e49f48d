"""The upkeep of the indexes (004, 1.5): what vectors and keyword index need not hold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import structlog

from memory.models import Origin
from memory.store.vectors.indexes import IndexStore

Level = Literal["memory", "roll-up"]
"""004's levels: a single memory is its grip or segment, a roll-up its day and what is above."""

_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class IndexTimes:
    """How long what is out of recall, and what was replaced, keeps its vector; the finest level
    that stays in the keyword index once it is `keyword_age` old."""

    vector_age: timedelta = timedelta(days=30)
    replaced_vector_age: timedelta = timedelta(days=365)
    keyword_level: Level = "memory"
    keyword_age: timedelta = timedelta(days=30)


class Indexes:
    def __init__(self, store: IndexStore, times: IndexTimes) -> None:
        self._store = store
        self._times = times

    async def prune_vectors(self, user_id: str, now: datetime, age: timedelta | None = None) -> int:
        """Drops the vectors of what no recall looks at: what has been out of it for `age`, else for
        the time of the settings, and what was replaced longer ago than questions about the past
        reach. Words and undo stay. How many vectors went."""
        removed = now - (self._times.vector_age if age is None else age)
        replaced = now - self._times.replaced_vector_age
        pruned = await self._store.prune_vectors(user_id, removed, replaced, _ORIGIN)
        if pruned:
            _log.info("vectors_pruned", count=pruned)
        return pruned

    async def level_keywords(
        self,
        user_id: str,
        now: datetime,
        level: Level | None = None,
        age: timedelta | None = None,
    ) -> int:
        """Builds a user's part of the keyword index anew at a level: with “roll-up” single memories
        older than `age` are found by meaning alone, unless they are pinned or saved by hand; with
        “memory” all are found by their words again. How many changed."""
        wanted = level or self._times.keyword_level
        since = now - (self._times.keyword_age if age is None else age)
        return await self._store.level_keywords(user_id, since, all_levels=wanted == "memory")
