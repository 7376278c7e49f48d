"""A recall whose time and outcome are counted, and shown as a span where traces are wanted."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Generic, Literal
from uuid import UUID

from opentelemetry.trace import NoOpTracer, Tracer

from memory.counters import Counters
from memory.recall.failing_closed import Response
from memory.recall.gate import Gate, Request
from memory.recalls import QueryResponse
from memory.spans import in_span

Kind = Literal["memories", "messages"]
Outcome = Literal["found", "nothing", "degraded", "failed", "rate limited", "off"]


class MeteredGate(Generic[Request, Response]):
    """Around a gate. What it held back, for memory is off or was asked too often, is counted and
    not timed: nothing was searched."""

    def __init__(
        self,
        gate: Gate[Request, Response],
        kind: Kind,
        counters: Counters,
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
            outcome = outcome_of(response)
            span.set_attributes({"outcome": outcome, "count": len(response.items)})
        self._count(response, outcome, time.perf_counter() - began)
        return response

    def _count(self, response: QueryResponse[Any], outcome: Outcome, seconds: float) -> None:
        self._counters.recalls.labels(self._kind, outcome).inc()
        if outcome in {"off", "rate limited"}:
            return
        self._counters.recall_seconds.labels(self._kind).observe(seconds)
        self._counters.recalled_tokens.labels(self._kind).inc(response.token_count)


def outcome_of(response: QueryResponse[Any]) -> Outcome:
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
