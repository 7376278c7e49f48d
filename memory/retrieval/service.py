"""A recall behind its gate, measured, and failing closed: empty and flagged, never an exception,
and with one log line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Generic, Literal, Protocol, TypeVar
from uuid import UUID

import structlog
from opentelemetry.trace import NoOpTracer, Tracer

from memory.cache import RateLimiter
from memory.embeddings.protocol import Embedder
from memory.metrics import MemoryMetrics
from memory.retrieval.context import FittedItems
from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.query import query_for_log
from memory.store.database import Access
from memory.tracing import in_span
from memory.types import LeftOut, QueryResponse

Fingerprint = Callable[[str], str | None]
Response = TypeVar("Response", bound=QueryResponse[Any])
_log = structlog.get_logger(__name__)


class RecallRequest(Protocol):
    """What every request of a recall has."""

    @property
    def user_id(self) -> str: ...

    @property
    def query(self) -> str: ...


class FailClosedRecall(Generic[Response]):
    """Around a recall that answers with `response` and is logged as `event`.

    `fingerprint` makes of a question what the log may hold of it. `timeout` is of a search, in
    seconds.
    """

    def __init__(
        self,
        event: str,
        response: type[Response],
        fingerprint: Fingerprint,
        timeout: float,
    ) -> None:
        self._event = event
        self._response = response
        self._fingerprint = fingerprint
        self._timeout = timeout

    async def run(
        self, request: RecallRequest, answering: Awaitable[Response], correlation_id: UUID | None
    ) -> Response:
        """The answer, or what says that there is none."""
        began = time.perf_counter()
        try:
            response = await answering
        except Exception as error:  # whatever went wrong in it
            _log.error(f"{self._event}_failed", reason=type(error).__name__)
            response = self._response(error=True, degraded=("keyword", "vector"))
        self._report(request, response, correlation_id, time.perf_counter() - began)
        return response

    async def is_off(self, reading: Awaitable[bool]) -> bool:
        """Whether memory is off, so that nothing of the question is embedded, cached or logged.
        False where the database does not answer: the recall itself then says so."""
        try:
            async with asyncio.timeout(self._timeout):
                return await reading
        except Exception as error:
            _log.warning("mode_not_read", reason=type(error).__name__)
            return False

    def refuse(self, request: RecallRequest, correlation_id: UUID | None) -> Response:
        """The empty answer to a user who asks more often than the limit, logged like any other."""
        response = self._response(rate_limited=True)
        self._report(request, response, correlation_id, 0.0)
        return response

    def empty(self) -> Response:
        """The answer to a question without words."""
        return self._response()

    def unanswered(self, found: SearchResults) -> Response:
        """Where neither leg did."""
        return self._response(error=True, degraded=found.failed)

    def answer(
        self,
        fitted: FittedItems[Any],
        found: SearchResults,
        *,
        total: int,
        began: float,
        left_out: tuple[LeftOut, ...],
    ) -> Response:
        """What fits of `total`, with its figures; `began` is by the performance counter."""
        elapsed = time.perf_counter() - began
        return self._response(
            items=list(fitted.items),
            total_count=total,
            query_embedding_ms=round(found.embedding_seconds * 1000),
            retrieval_ms=round(max(elapsed - found.embedding_seconds, 0.0) * 1000),
            token_count=fitted.token_count,
            truncated=fitted.truncated,
            degraded=found.failed,
            left_out=left_out,
        )

    def _report(
        self,
        request: RecallRequest,
        response: Response,
        correlation_id: UUID | None,
        seconds: float,
    ) -> None:
        _log.info(
            self._event,
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


Request = TypeVar("Request", bound=RecallRequest)
Request_contra = TypeVar("Request_contra", bound=RecallRequest, contravariant=True)
Response_co = TypeVar("Response_co", covariant=True)


class RecallBackend(Protocol[Request_contra, Response_co]):
    """`memory.retrieval.memory_retriever.MemoryRetriever` is one for memories."""

    async def recall(
        self,
        request: Request_contra,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> Response_co: ...

    async def is_off(self, request: Request_contra) -> bool: ...

    def refuse(
        self, request: Request_contra, *, correlation_id: UUID | None = None
    ) -> Response_co: ...


class RecallGate(Generic[Request, Response]):
    """Stands before a recall: asks whether memory may be read, and keeps the rate limit. Where
    memory is off, or where an incognito conversation may not read it, nothing of the question is
    looked at."""

    def __init__(
        self,
        recalls: RecallBackend[Request, Response],
        access: Access,
        rate_limiter: RateLimiter,
        response: type[Response],
    ) -> None:
        self._recalls = recalls
        self._access = access
        self._rate_limiter = rate_limiter
        self._response = response

    async def recall(
        self,
        request: Request,
        *,
        correlation_id: UUID | None,
        now: datetime | None,
        token_budget: int | None,
    ) -> Response:
        """Empty and flagged above the rate limit and where memory is off."""
        if self._access == "none" or await self._recalls.is_off(request):
            return self._response(off=True)
        if not await self._rate_limiter.allow(request.user_id):
            return self._recalls.refuse(request, correlation_id=correlation_id)
        return await self._recalls.recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )


RecallKind = Literal["memories", "messages"]
RecallOutcome = Literal["found", "nothing", "degraded", "failed", "rate limited", "off"]


class MeteredRecall(Generic[Request, Response]):
    """Counts and times a recall, and shows it as a span where traces are wanted. What the gate held
    back, for memory is off or was asked too often, is counted and not timed: nothing was
    searched."""

    def __init__(
        self,
        gate: RecallGate[Request, Response],
        kind: RecallKind,
        counters: MemoryMetrics,
        tracer: Tracer | None = None,
    ) -> None:
        self._gate = gate
        self._kind = kind
        self._counters = counters
        self._tracer = tracer or NoOpTracer()

    async def recall(
        self,
        request: Request,
        *,
        correlation_id: UUID | None,
        now: datetime | None,
        token_budget: int | None,
    ) -> Response:
        """As the gate's own."""
        with in_span(self._tracer, "keepsake.recall", kind=self._kind) as span:
            began = time.perf_counter()
            response = await self._gate.recall(
                request, correlation_id=correlation_id, now=now, token_budget=token_budget
            )
            outcome = recall_outcome(response)
            span.set_attributes({"outcome": outcome, "count": len(response.items)})
        self._count(response, outcome, time.perf_counter() - began)
        return response

    def _count(self, response: QueryResponse[Any], outcome: RecallOutcome, seconds: float) -> None:
        self._counters.recalls.labels(self._kind, outcome).inc()
        if outcome in {"off", "rate limited"}:
            return
        self._counters.recall_seconds.labels(self._kind).observe(seconds)
        self._counters.recalled_tokens.labels(self._kind).inc(response.token_count)


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


class PerModelRecall(Generic[Request, Response]):
    """One recall for each embedding model, made with its calibration when that is first the one of
    now."""

    def __init__(
        self, embedder: Embedder, make: Callable[[], RecallBackend[Request, Response]]
    ) -> None:
        self._embedder = embedder
        self._make = make
        self._made = {embedder.model: make()}

    async def recall(
        self,
        request: Request,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> Response:
        return await self._of_now().recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def is_off(self, request: Request) -> bool:
        return await self._of_now().is_off(request)

    def refuse(self, request: Request, *, correlation_id: UUID | None = None) -> Response:
        return self._of_now().refuse(request, correlation_id=correlation_id)

    def _of_now(self) -> RecallBackend[Request, Response]:
        model = self._embedder.model
        if model not in self._made:
            self._made[model] = self._make()
        return self._made[model]
