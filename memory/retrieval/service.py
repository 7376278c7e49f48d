"""The recall of memories and of past messages: let through, measured, and failing closed, so that
it is empty and flagged, never an exception, and has one log line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any, Literal, TypeVar
from uuid import UUID

import structlog
from opentelemetry.trace import NoOpTracer, Tracer

from memory.cache import RateLimiter
from memory.metrics import MemoryMetrics
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.query import query_for_log
from memory.store.database import Access
from memory.store.spaces import SpaceSettingsStore
from memory.tracing import in_span
from memory.types import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
    QueryResponse,
)

Fingerprint = Callable[[str], str | None]
RecallKind = Literal["memories", "messages"]
RecallOutcome = Literal["found", "nothing", "degraded", "failed", "rate limited", "off"]
RecallRequest = MemoryQueryRequest | MessageQueryRequest
Response = TypeVar("Response", bound=QueryResponse[Any])
_EVENTS: dict[RecallKind, str] = {"memories": "recall", "messages": "message_recall"}
_log = structlog.get_logger(__name__)


class RecallService:
    """Where memory is off, or where an incognito conversation may not read it, nothing of a
    question is embedded, cached or logged; above the rate limit nothing is searched.

    `timeout` is of reading whether memory is off, in seconds; `fingerprint` makes of a question
    what the log may hold of it.
    """

    def __init__(
        self,
        memories: MemoryRetriever,
        messages: MessageRetriever,
        modes: SpaceSettingsStore,
        access: Access,
        limiter: RateLimiter,
        *,
        fingerprint: Fingerprint,
        timeout: float,
        counters: MemoryMetrics,
        tracer: Tracer | None = None,
    ) -> None:
        self._memories = memories
        self._messages = messages
        self._modes = modes
        self._access = access
        self._limiter = limiter
        self._fingerprint = fingerprint
        self._timeout = timeout
        self._counters = counters
        self._tracer = tracer or NoOpTracer()

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for the query, as of `now`."""
        search = partial(self._memories.recall, request, now=now, token_budget=token_budget)
        return await self._guarded("memories", request, MemoryQueryResponse, search, correlation_id)

    async def recall_messages(
        self,
        request: MessageQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MessageQueryResponse:
        """What was said about the query until `now`, where it is given. The turn of
        `correlation_id`, in which it is asked, is left out."""
        search = partial(
            self._messages.recall,
            request,
            correlation_id=correlation_id,
            now=now,
            token_budget=token_budget,
        )
        return await self._guarded(
            "messages", request, MessageQueryResponse, search, correlation_id
        )

    async def _guarded(
        self,
        kind: RecallKind,
        request: RecallRequest,
        response: type[Response],
        search: Callable[[], Awaitable[Response]],
        correlation_id: UUID | None,
    ) -> Response:
        """A span, where traces are wanted, with one answer; it is counted, and logged unless memory
        is off."""
        began = time.perf_counter()
        with in_span(self._tracer, "keepsake.recall", kind=kind) as span:
            answer = await self._answer(kind, request, response, search)
            outcome = recall_outcome(answer)
            span.set_attributes({"outcome": outcome, "count": len(answer.items)})
            seconds = time.perf_counter() - began
            self._count(kind, outcome, answer, seconds)
            if not answer.off:
                self._report(_EVENTS[kind], request, answer, correlation_id, seconds)
        return answer

    async def _answer(
        self,
        kind: RecallKind,
        request: RecallRequest,
        response: type[Response],
        search: Callable[[], Awaitable[Response]],
    ) -> Response:
        """What was found, or what says why there is nothing."""
        if self._access == "none" or await self._is_off(request):
            return response(off=True)
        if not await self._limiter.allow(request.user_id):
            return response(rate_limited=True)
        try:
            return await search()
        except Exception as error:  # whatever went wrong in it
            _log.error(f"{_EVENTS[kind]}_failed", reason=type(error).__name__)
            return response(error=True, degraded=("keyword", "vector"))

    async def _is_off(self, request: RecallRequest) -> bool:
        """False where the database does not answer: the search itself then says so."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._modes.is_off(request.user_id, request.space)
        except Exception as error:
            _log.warning("mode_not_read", reason=type(error).__name__)
            return False

    def _count(
        self,
        kind: RecallKind,
        outcome: RecallOutcome,
        response: QueryResponse[Any],
        seconds: float,
    ) -> None:
        """What was held back is not timed: nothing was searched."""
        self._counters.recalls.labels(kind, outcome).inc()
        if outcome in {"off", "rate limited"}:
            return
        self._counters.recall_seconds.labels(kind).observe(seconds)
        self._counters.recalled_tokens.labels(kind).inc(response.token_count)

    def _report(
        self,
        event: str,
        request: RecallRequest,
        response: QueryResponse[Any],
        correlation_id: UUID | None,
        seconds: float,
    ) -> None:
        _log.info(
            event,
            user_id=request.user_id,
            correlation_id=str(correlation_id) if correlation_id else None,
            query_hash=self._fingerprint(query_for_log(request.query)),
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


def recall_outcome(response: QueryResponse[Any]) -> RecallOutcome:
    """`degraded` where one of the two searches did not answer, whatever the other one found."""
    if response.off:
        return "off"
    if response.rate_limited:
        return "rate limited"
    if response.error:
        return "failed"
    if response.degraded:
        return "degraded"
    return "found" if response.items else "nothing"
