"""The search of a recall: both legs and the time that was asked about, one pool, what speaks for
each candidate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from memory.retrieval.hybrid_search import POOL, RRF_K, MemoryHybridSearch, SearchResults, fuse
from memory.retrieval.query import find_whole_topic, mask_names
from memory.retrieval.relevance import Calibration, WeighedMemory, collect_evidence, relevance
from memory.retrieval.time_filter import TimeFilter, query_without_time
from memory.store.search import MemorySearch, SearchCandidate, SearchScope
from memory.understanding.sentences import is_question

# How probable it has to be that a memory tells of the event that a question counts from: a wrong
# anchor hides answers, a missing one only leaves the time open.
ANCHORED = 0.5
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class CandidatePool:
    """`weighed` in the order of the fused rank; `found` what the legs answered; `timing` with the
    moment of its anchor, where that was found; `calibration` that of the model that was searched
    by; `whole_topic` says that everything is asked for that holds the words that were searched.
    `asking` are the memories that only ask, weighed by themselves: a question is the nearest to its
    own words, and would make every answer look far."""

    weighed: list[WeighedMemory]
    found: SearchResults
    timing: TimeFilter
    calibration: Calibration
    whole_topic: bool = False
    asking: list[WeighedMemory] = field(default_factory=list)


class CandidateSearch:
    """Gathers candidates. A leg that fails is named in `CandidatePool.found`; the rest may raise.

    `calibrate` knows the calibration of an embedding model by its name.

    `derived` are legs for a part of the question: its topic, its words without the time, the event
    that it counts from. Their embedder is to cache nothing, since an erasure looks for the
    questions that were asked and not for parts of them.
    """

    def __init__(
        self,
        search: MemorySearch,
        legs: MemoryHybridSearch,
        calibrate: Callable[[str], Calibration],
        *,
        rrf_k: int = RRF_K,
        derived: MemoryHybridSearch | None = None,
    ) -> None:
        self._search = search
        self._legs = legs
        self._derived = derived or legs
        self._calibrate = calibrate
        self._rrf_k = rrf_k

    async def gather(self, scope: SearchScope, query: str, timing: TimeFilter) -> CandidatePool:
        """The candidates for a question whose time was read. Where neither leg answers, there are
        none."""
        return await self._legs.of_one_model(partial(self._gather, scope, query, timing))

    async def _gather(
        self, scope: SearchScope, query: str, timing: TimeFilter, model: str
    ) -> CandidatePool:
        calibration = self._calibrate(model)
        if timing.anchor is not None:
            timing = await self._anchored(scope, timing, calibration)
        scope = timing.scope(scope)
        topic = find_whole_topic(query) if timing.asked is None else None
        words = topic or query_without_time(query, timing)
        async with asyncio.TaskGroup() as group:
            by = self._legs if words == query else self._derived
            legs = group.create_task(by.run(scope, words, mask_names(words)))
            of_that_time = group.create_task(self._of_that_time(scope, timing))
        found = legs.result()
        if found.all_failed:
            return CandidatePool([], found, timing, calibration)
        rows = await self._rows(scope, found, of_that_time.result())
        weighed, asking = await asyncio.to_thread(_weigh_apart, words, found, rows)
        return CandidatePool(weighed, found, timing, calibration, topic is not None, asking)

    async def weigh(
        self, scope: SearchScope, query: str, found: SearchResults
    ) -> list[WeighedMemory]:
        """The candidates of both legs that tell something, in the order of their fused rank, with
        what speaks for each; also what a calibration is fitted on."""
        rows = await self._rows(scope, found)
        weighed, _ = await asyncio.to_thread(_weigh_apart, query, found, rows)
        return weighed

    async def _rows(
        self, scope: SearchScope, found: SearchResults, of_that_time: Sequence[UUID] = ()
    ) -> list[SearchCandidate]:
        """Of both legs, and of the time that was asked for, in the order of their fused rank; what
        may have taken the place of one of them stands where that does."""
        rankings = [[hit.id for hit in leg] for leg in (found.keyword, found.vector) if leg]
        fused = fuse([*rankings, list(of_that_time)], self._rrf_k)
        place = {key: rank for rank, (key, _) in enumerate(fused)}
        async with asyncio.timeout(self._legs.search_timeout):
            rows = await self._search.read_candidates(
                scope, list(place), found.embedding, found.nameless
            )
        later = {each: place.get(row.id, len(place)) for row in rows for each in row.doubted_by}
        return sorted(rows, key=lambda row: place.get(row.id, later.get(row.id, len(place))))

    async def _of_that_time(self, scope: SearchScope, timing: TimeFilter) -> list[UUID]:
        """What happened in the stretch of time; without it, the legs alone have to find it."""
        asked = timing.asked
        if asked is None or timing.is_open or asked.kind == "as_of":
            return []
        if timing.of_type is not None and scope.types is None:
            scope = replace(scope, types=(timing.of_type,))
        try:
            async with asyncio.timeout(self._legs.search_timeout):
                hits = await self._search.search_by_time(
                    scope, asked.start, asked.end, POOL, by_learning=timing.by_learning
                )
        except Exception as error:  # it only adds to what the legs find
            _log.warning("time_not_searched", reason=type(error).__name__)
            return []
        return [hit.id for hit in hits]

    async def _anchored(
        self, scope: SearchScope, timing: TimeFilter, calibration: Calibration
    ) -> TimeFilter:
        """The timing with the moment of its event, where a memory tells of it and when it was."""
        try:
            moment = await self._moment_of(scope, timing.anchor or "", calibration)
        except Exception as error:  # without the moment the question is searched as any other
            _log.warning("anchor_not_searched", reason=type(error).__name__)
            return timing
        return timing if moment is None else timing.anchored_at(moment)

    async def _moment_of(
        self, scope: SearchScope, event: str, calibration: Calibration
    ) -> datetime | None:
        found = await self._derived.run(scope, event, mask_names(event))
        if found.all_failed:
            return None
        moments = [
            (relevance(why, calibration), row.occurred_at)
            for row, why in await self.weigh(scope, event, found)
            if row.occurred_at is not None and not why.stranger
        ]
        probability, moment = max(moments, default=(0.0, None), key=lambda pair: pair[0])
        return moment if probability >= ANCHORED else None


def _weigh_apart(
    query: str, found: SearchResults, rows: Sequence[SearchCandidate]
) -> tuple[list[WeighedMemory], list[WeighedMemory]]:
    """What tells and what only asks. To read the names in memories of thousands of characters takes
    its time."""
    asks = [is_question(row.content) for row in rows]
    telling, asking = (
        [row for row, asked in zip(rows, asks, strict=True) if asked is kind]
        for kind in (False, True)
    )
    return collect_evidence(query, found, telling), collect_evidence(query, found, asking)


def hit_ranks(found: SearchResults) -> dict[UUID, tuple[int | None, int | None]]:
    """The place of each hit in the keyword leg and in the vector leg, from 1."""
    keyword = {hit.id: rank for rank, hit in enumerate(found.keyword or (), start=1)}
    vector = {hit.id: rank for rank, hit in enumerate(found.vector or (), start=1)}
    return {key: (keyword.get(key), vector.get(key)) for key in keyword | vector}
