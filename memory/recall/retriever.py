"""From a question to memories: both legs, one pool, a calibrated relevance, a cut, a budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

import structlog

from memory.models import MemoryItem, MemoryQueryRequest, MemoryQueryResponse
from memory.recall.budget import fit
from memory.recall.fusion import fuse
from memory.recall.legs import Found, Legs
from memory.recall.question import as_searched
from memory.recall.relevance import Calibration, relevance
from memory.recall.screening import find_order
from memory.recall.weighing import Weighed, weigh
from memory.secrets import redact
from memory.store.search import CandidateRow, Scope, Search
from memory.tokens import TokenCounter

Fingerprint = Callable[[str], str | None]
_log = structlog.get_logger(__name__)


class Retriever:
    """Recalls under a token budget and fails closed: empty and flagged, never an exception.

    `fingerprint` makes of a question what the log may hold of it.
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
    ) -> None:
        self._search = search
        self._legs = legs
        self._calibration = calibration
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
        scope = _scope(request, now or datetime.now(UTC))
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
        found = await self._legs.run(scope, query)
        if len(found.failed) == 2:  # noqa: PLR2004 - both legs
            return MemoryQueryResponse(error=True, degraded=found.failed)
        ranked = self._cut(await self.weigh(scope, query, found), request.min_score)
        fitted = fit(ranked[: request.limit], budget, self._counter)
        elapsed = time.perf_counter() - began
        return MemoryQueryResponse(
            items=list(fitted.items),
            total_count=len(ranked),
            query_embedding_ms=round(found.embedding_seconds * 1000),
            retrieval_ms=round(max(elapsed - found.embedding_seconds, 0.0) * 1000),
            token_count=fitted.token_count,
            truncated=fitted.truncated,
            degraded=found.failed,
        )

    async def weigh(self, scope: Scope, query: str, found: Found) -> list[Weighed]:
        """The candidates of both legs in the order of their fused rank, with what speaks for
        each; also what a calibration is fitted on."""
        rankings = [[hit.id for hit in leg] for leg in (found.keyword, found.vector) if leg]
        place = {key: rank for rank, (key, _) in enumerate(fuse(rankings))}
        async with asyncio.timeout(self._legs.search_timeout):
            rows = await self._search.read_candidates(
                scope, list(place), found.embedding, found.nameless
            )
        rows.sort(key=lambda row: place[row.id])
        return weigh(query, found, rows)

    def _cut(self, weighed: list[Weighed], min_score: float) -> list[MemoryItem]:
        """The harmless candidates of at least `min_score`, the most relevant first."""
        scored = [(relevance(why, self._calibration), row) for row, why in weighed]
        kept = [(score, row) for score, row in scored if score >= min_score and _harmless(row)]
        kept.sort(key=lambda pair: -pair[0])
        return [_recalled(row, score) for score, row in kept]

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
            query_hash=self._fingerprint(redact(request.query)),
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


def _harmless(row: CandidateRow) -> bool:
    if not row.content.strip():
        _log.error("memory_skipped", item_id=str(row.id), reason="malformed")
        return False
    order = find_order(row.content)
    if order is not None:
        _log.warning("memory_kept_out", item_id=str(row.id), reason=order)
    return order is None


def _recalled(row: CandidateRow, score: float) -> MemoryItem:
    return MemoryItem(
        id=str(row.id),
        content=row.content,
        type=row.type,
        relevance_score=score,
        source=None if row.source_message_id is None else f"message:{row.source_message_id}",
        created_at=row.created_at,
        importance=row.importance,
    )
