"""From a question to memories: both legs, one pool, a calibrated relevance, a cut, a budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

import structlog

from memory.models import LeftOut, MemoryQueryRequest, MemoryQueryResponse, ScoreParts
from memory.recall.budget import fit
from memory.recall.candidate import Candidate, Chosen
from memory.recall.fusion import RRF_K
from memory.recall.legs import Legs
from memory.recall.question import as_logged, as_searched
from memory.recall.ranking import PRESETS, recency
from memory.recall.relevance import Calibration
from memory.recall.searching import Searching, ranks_of
from memory.recall.selection import PLAIN, Choice, Selection
from memory.recall.telling import left_out, recalled
from memory.recall.timing import timing_of
from memory.recall.usage import UsageWriter
from memory.store.search import Scope, Search
from memory.tokens import TokenCounter

Fingerprint = Callable[[str], str | None]
_log = structlog.get_logger(__name__)


class Retriever:
    """Recalls under a token budget and fails closed: empty and flagged, never an exception.

    `fingerprint` makes of a question what the log may hold of it. `derived` searches for what is
    not the question as it was asked; see `Searching`.
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
    ) -> None:
        self.searching = Searching(search, legs, calibration, rrf_k=rrf_k, derived=derived)
        self._search = search
        self._legs = legs
        self._selection = Selection(calibration, choice)
        self._usage = usage
        self._counter = counter
        self._token_budget = token_budget
        self._fingerprint = fingerprint

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for the query, as of `now`, and one log line about it."""
        began = time.perf_counter()
        scope = _scope(request, now or datetime.now().astimezone())
        budget = self._token_budget if token_budget is None else token_budget
        try:
            response = await self._answer(request, scope, budget, began)
        except Exception as error:  # a recall fails closed, whatever went wrong in it
            _log.error("recall_failed", reason=type(error).__name__)
            response = MemoryQueryResponse(error=True, degraded=("keyword", "vector"))
        self._report(request, response, correlation_id, time.perf_counter() - began)
        return response

    async def is_off(self, request: MemoryQueryRequest) -> bool:
        """Whether memory is off in the space, so that nothing of the question is embedded, cached
        or logged. False where the database does not answer: the recall itself then says so."""
        try:
            async with asyncio.timeout(self._legs.search_timeout):
                return await self._search.is_off(request.user_id, request.space)
        except Exception as error:
            _log.warning("mode_not_read", reason=type(error).__name__)
            return False

    def refuse(
        self, request: MemoryQueryRequest, *, correlation_id: UUID | None = None
    ) -> MemoryQueryResponse:
        """The empty answer to a user who asks more often than the limit, logged like any other."""
        response = MemoryQueryResponse(rate_limited=True)
        self._report(request, response, correlation_id, 0.0)
        return response

    async def _answer(
        self, request: MemoryQueryRequest, scope: Scope, budget: int, began: float
    ) -> MemoryQueryResponse:
        query = as_searched(request.query)
        if not query:
            return MemoryQueryResponse()
        pool = await self.searching.gather(scope, query, timing_of(query, scope.now))
        found = pool.found
        if found.is_empty_handed:
            return MemoryQueryResponse(error=True, degraded=found.failed)
        chosen = await self._selection.select(request, query, pool, scope.now)
        ranks = ranks_of(found)
        fitted = fit(
            [recalled(each, ranks) for each in chosen.kept[: request.limit]], budget, self._counter
        )
        self._note_usage(request.user_id, chosen.kept[: len(fitted.items)])
        elapsed = time.perf_counter() - began
        return MemoryQueryResponse(
            items=list(fitted.items),
            total_count=len(chosen.kept),
            query_embedding_ms=round(found.embedding_seconds * 1000),
            retrieval_ms=round(max(elapsed - found.embedding_seconds, 0.0) * 1000),
            token_count=fitted.token_count,
            truncated=fitted.truncated,
            degraded=found.failed,
            left_out=_left_out(chosen, request, len(fitted.items)) if request.explain else (),
        )

    def _note_usage(self, user_id: str, returned: Sequence[Candidate]) -> None:
        if self._usage is not None and returned:
            now = datetime.now(UTC)
            self._usage.note(user_id, [(each.id, _lasting(each, now)) for each in returned], now)

    def _report(
        self,
        request: MemoryQueryRequest,
        response: MemoryQueryResponse,
        correlation_id: UUID | None,
        seconds: float,
    ) -> None:
        _log.info(
            "recall",
            user_id=request.user_id,
            correlation_id=str(correlation_id) if correlation_id else None,
            query_hash=self._fingerprint(as_logged(request.query)),
            result_count=len(response.items),
            total_count=response.total_count,
            latency_ms=round(seconds * 1000, 1),
            embedding_ms=response.query_embedding_ms,
            token_count=response.token_count,
            truncated=response.truncated,
            degraded=response.degraded,
            error=response.error,
            rate_limited=response.rate_limited,
        )


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
