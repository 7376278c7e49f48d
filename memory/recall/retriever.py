"""From a question to memories: both legs, one pool, a calibrated relevance, a cut, a budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.clock import Clock, local_clock
from memory.recall.choice.candidate import Candidate, Chosen
from memory.recall.choice.ranking import PRESETS, recency
from memory.recall.choice.selection import PLAIN, Choice, Selection
from memory.recall.failing_closed import FailingClosed, Fingerprint
from memory.recall.question import as_searched
from memory.recall.search.fusion import RRF_K
from memory.recall.search.legs import Legs
from memory.recall.search.relevance import Calibration
from memory.recall.search.searching import Searching, ranks_of
from memory.recall.shown.budget import fit
from memory.recall.shown.telling import left_out, recalled
from memory.recall.timing import timing_of
from memory.recall.usage import UsageWriter
from memory.recalls import LeftOut, MemoryQueryRequest, MemoryQueryResponse, ScoreParts
from memory.store.memories.search import Scope, Search
from memory.tokens import TokenCounter


class Retriever:
    """Recalls under a token budget and fails closed: empty and flagged, never an exception.

    `derived` searches for what is not the question as it was asked; see `Searching`.
    """

    def __init__(
        self,
        search: Search,
        legs: Legs,
        *,
        calibration: Calibration,
        counter: TokenCounter,
        token_budget: int,
        fingerprint: Fingerprint,
        choice: Choice = PLAIN,
        usage: UsageWriter | None = None,
        rrf_k: int = RRF_K,
        derived: Legs | None = None,
        clock: Clock = local_clock,
    ) -> None:
        self.searching = Searching(search, legs, calibration, rrf_k=rrf_k, derived=derived)
        self._search = search
        self._selection = Selection(calibration, choice)
        self._usage = usage
        self._counter = counter
        self._token_budget = token_budget
        self._clock = clock
        self._closed = FailingClosed(
            "recall", MemoryQueryResponse, fingerprint, legs.search_timeout
        )

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for the query, as of `now`, and one log line about it."""
        scope = _scope(request, now or self._clock())
        budget = self._token_budget if token_budget is None else token_budget
        answering = self._answer(request, scope, budget)
        return await self._closed.run(request, answering, correlation_id)

    async def is_off(self, request: MemoryQueryRequest) -> bool:
        """See `FailingClosed.is_off`."""
        return await self._closed.is_off(self._search.is_off(request.user_id, request.space))

    def refuse(
        self, request: MemoryQueryRequest, *, correlation_id: UUID | None = None
    ) -> MemoryQueryResponse:
        """See `FailingClosed.refuse`."""
        return self._closed.refuse(request, correlation_id)

    async def _answer(
        self, request: MemoryQueryRequest, scope: Scope, budget: int
    ) -> MemoryQueryResponse:
        began = time.perf_counter()
        query = await asyncio.to_thread(as_searched, request.query)
        if not query:
            return self._closed.empty()
        timing = await asyncio.to_thread(timing_of, query, scope.now)
        pool = await self.searching.gather(scope, query, timing)
        found = pool.found
        if found.is_empty_handed:
            return self._closed.unanswered(found)
        chosen = await self._selection.select(request, query, pool, scope.now)
        ranks = ranks_of(found)
        fitted = fit(
            [recalled(each, ranks) for each in chosen.kept[: request.limit]], budget, self._counter
        )
        self._note_usage(request.user_id, chosen.kept[: len(fitted.items)])
        return self._closed.answer(
            fitted,
            found,
            total=len(chosen.kept),
            began=began,
            left_out=_left_out(chosen, request, len(fitted.items)) if request.explain else (),
        )

    def _note_usage(self, user_id: str, returned: Sequence[Candidate]) -> None:
        if self._usage is not None and returned:
            now = self._clock()
            self._usage.note(user_id, [(each.id, _lasting(each, now)) for each in returned], now)


def _scope(request: MemoryQueryRequest, now: datetime) -> Scope:
    return Scope(
        request.user_id,
        now,
        types=None if request.types is None else tuple(request.types),
        space=request.space,
        banks=None if request.banks is None else tuple(request.banks),
        roles=None if request.roles is None else tuple(request.roles),
    )


def _lasting(returned: Candidate, now: datetime) -> ScoreParts:
    """The scores as the capacity sets them against recomputed ones: with 000's own recency,
    whatever curve the ranking has."""
    recent = recency(returned.row.created_at, now, PRESETS["theoria"])
    return returned.scores.model_copy(update={"recency": recent})


def _left_out(chosen: Chosen, request: MemoryQueryRequest, returned: int) -> tuple[LeftOut, ...]:
    """What a step of the choice left out, what was beyond the limit, and what had no room."""
    beyond = [each.without("limit") for each in chosen.kept[request.limit :]]
    no_room = [each.without("budget") for each in chosen.kept[returned : request.limit]]
    return left_out([*no_room, *beyond, *chosen.left_out])
