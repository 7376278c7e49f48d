"""From a question to memories: both legs, one pool, a calibrated relevance, a cut, a budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from memory.clock import Clock, local_clock
from memory.retrieval.answers import ConfidenceBounds
from memory.retrieval.candidates import CandidateSearch, hit_ranks
from memory.retrieval.context import answer_with, fit_memories
from memory.retrieval.hybrid_search import RRF_K, MemoryHybridSearch
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.retrieval.query import prepare_query
from memory.retrieval.ranking import PRESETS, recency
from memory.retrieval.relevance import Calibration
from memory.retrieval.selection import (
    DEFAULT_OPTIONS,
    CandidateSelector,
    MemorySelection,
    RecallCandidate,
    SelectionOptions,
)
from memory.retrieval.time_filter import parse_time_filter
from memory.retrieval.usage import UsageWriter
from memory.store.search import MemorySearch, SearchScope
from memory.tokens import TokenCounter
from memory.types import (
    LeftOut,
    MemoryItem,
    MemoryQueryRequest,
    MemoryQueryResponse,
    ScoreParts,
    Why,
)

MOST_LEFT_OUT = 20
_DIGITS = 4
Ranks = Mapping[UUID, tuple[int | None, int | None]]


def to_memory_item(
    candidate: RecallCandidate, ranks: Ranks, bounds: ConfidenceBounds
) -> MemoryItem:
    row = candidate.row
    return MemoryItem(
        id=str(row.id),
        content=row.content,
        type=row.type,
        relevance_score=candidate.relevance,
        answer_score=candidate.answers,
        confidence=bounds.confidence(candidate.answers),
        source=None if row.source_message_id is None else f"message:{row.source_message_id}",
        created_at=row.created_at,
        importance=row.importance,
        bank=row.bank,
        tags=tuple(row.tags),
        source_ids=tuple(row.source_ids),
        occurred_at=row.occurred_at,
        superseded=row.superseded,
        doubted=bool(row.doubted_by),
        why=_why(candidate, ranks),
    )


def explain_left_out(candidates: Sequence[RecallCandidate]) -> tuple[LeftOut, ...]:
    """The most relevant of them, at most `MOST_LEFT_OUT`; whatever left one out, never the words of
    one that gives orders, which are kept from whoever reads this as well."""
    told = [each for each in candidates if each.cut is not None]
    told.sort(key=lambda each: -each.relevance)
    return tuple(
        LeftOut(
            id=str(each.id),
            content="" if find_prompt_injection(each.row.content) else each.row.content,
            relevance=each.relevance,
            why=each.cut or "score",
        )
        for each in told[:MOST_LEFT_OUT]
    )


def _why(candidate: RecallCandidate, ranks: Ranks) -> Why:
    keyword_rank, vector_rank = ranks.get(candidate.id, (None, None))
    evidence = candidate.evidence
    return Why(
        scores=candidate.scores,
        keyword_rank=keyword_rank,
        vector_rank=vector_rank,
        cosine=_rounded(evidence.cosine),
        bm25=_rounded(evidence.bm25),
        coverage=_rounded(evidence.coverage),
        notes=candidate.notes,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


class MemoryRetriever:
    """Recalls under a token budget.

    `calibrate` and `derived`, which searches for what is not the question as it was asked, are of
    `CandidateSearch`.
    """

    def __init__(
        self,
        search: MemorySearch,
        legs: MemoryHybridSearch,
        *,
        calibrate: Callable[[str], Calibration],
        counter: TokenCounter,
        token_budget: int,
        choice: SelectionOptions = DEFAULT_OPTIONS,
        usage: UsageWriter | None = None,
        rrf_k: int = RRF_K,
        derived: MemoryHybridSearch | None = None,
        clock: Clock = local_clock,
    ) -> None:
        self._searching = CandidateSearch(search, legs, calibrate, rrf_k=rrf_k, derived=derived)
        self._selection = CandidateSelector(choice)
        self._bounds = choice.bounds
        self._usage = usage
        self._counter = counter
        self._token_budget = token_budget
        self._clock = clock

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for the query, as of `now`; what this raises is caught by
        `memory.retrieval.service.RecallService`."""
        began = time.perf_counter()
        query = await asyncio.to_thread(prepare_query, request.query)
        if not query:
            return MemoryQueryResponse()
        scope = _scope(request, now or self._clock())
        timing = await asyncio.to_thread(parse_time_filter, query, scope.now)
        pool = await self._searching.gather(scope, query, timing)
        found = pool.found
        if found.all_failed:
            return MemoryQueryResponse(error=True, degraded=found.failed)
        chosen = await self._selection.select(request, query, pool, scope.now)
        ranks = hit_ranks(found)
        fitted = fit_memories(
            [to_memory_item(each, ranks, self._bounds) for each in chosen.kept[: request.limit]],
            self._token_budget if token_budget is None else token_budget,
            self._counter,
        )
        self._note_usage(request.user_id, chosen.kept[: len(fitted.items)])
        return answer_with(
            MemoryQueryResponse,
            fitted,
            found,
            total=len(chosen.kept),
            began=began,
            left_out=_left_out(chosen, request, len(fitted.items)) if request.explain else (),
        )

    def _note_usage(self, user_id: str, returned: Sequence[RecallCandidate]) -> None:
        if self._usage is not None and returned:
            now = self._clock()
            self._usage.note(user_id, [(each.id, _lasting(each, now)) for each in returned], now)


def _scope(request: MemoryQueryRequest, now: datetime) -> SearchScope:
    return SearchScope(
        request.user_id,
        now,
        types=None if request.types is None else tuple(request.types),
        space=request.space,
        banks=None if request.banks is None else tuple(request.banks),
        roles=None if request.roles is None else tuple(request.roles),
    )


def _lasting(returned: RecallCandidate, now: datetime) -> ScoreParts:
    """The scores as the capacity sets them against recomputed ones: with 000's own recency,
    whatever curve the ranking has."""
    recent = recency(returned.row.created_at, now, PRESETS["theoria"])
    return returned.scores.model_copy(update={"recency": recent})


def _left_out(
    chosen: MemorySelection, request: MemoryQueryRequest, returned: int
) -> tuple[LeftOut, ...]:
    """What a step of the choice left out, what was beyond the limit, and what had no room."""
    beyond = [each.without("limit") for each in chosen.kept[request.limit :]]
    no_room = [each.without("budget") for each in chosen.kept[returned : request.limit]]
    return explain_left_out([*no_room, *beyond, *chosen.left_out])
