"""A model whose calls, tokens and times are counted by what it is called for."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from agents import Model, ModelResponse
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses import ResponseCompletedEvent
from opentelemetry.trace import Tracer

from agent.models.offline_model import MODEL_NAME
from memory.counters import Counters
from memory.errors import LeftAlone
from memory.settings import Settings
from memory.spending import Spending

Operation = Literal["answer", "extract", "rerank", "summarise"]


@dataclass(frozen=True)
class Meters:
    """Where the calls of all models are counted."""

    counters: Counters
    spending: Spending
    tracer: Tracer


def meter(model: Model, settings: Settings, counters: Counters, tracer: Tracer) -> MeteredModel:
    """The model of the settings, or the offline one, where it is called to answer."""
    meters = Meters(counters, Spending(counters, settings.prices), tracer)
    name = settings.openai_model if settings.has_model else MODEL_NAME
    return MeteredModel(model, meters, name=name)


class MeteredModel(Model):
    """Passes everything on to the `inner` model, called `name` in the prices. A stream that nobody
    reads to its end is `stopped`: what its tokens were the server has not said. A call that an open
    guard did not let through was `left alone`."""

    def __init__(
        self, inner: Model, meters: Meters, *, name: str, operation: Operation = "answer"
    ) -> None:
        self._inner = inner
        self._meters = meters
        self._name = name
        self._operation: Operation = operation

    def called_for(self, operation: Operation) -> MeteredModel:
        """The same model, counted under another operation."""
        return MeteredModel(self._inner, self._meters, name=self._name, operation=operation)

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        with self._measured():
            response = await self._inner.get_response(*given, **named)
        self._spend(response.usage.input_tokens, response.usage.output_tokens)
        return response

    async def stream_response(
        self, *given: Any, **named: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        with self._measured():
            async for event in self._inner.stream_response(*given, **named):
                if isinstance(event, ResponseCompletedEvent) and event.response.usage:
                    usage = event.response.usage
                    self._spend(usage.input_tokens, usage.output_tokens)
                yield event

    async def close(self) -> None:
        await self._inner.close()

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._inner.get_retry_advice(request)

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self._inner._cleanup_on_run_end(owner)

    def _spend(self, taken_in: int, given_out: int) -> None:
        self._meters.spending.note(self._operation, self._name, taken_in, given_out)

    @contextmanager
    def _measured(self) -> Iterator[None]:
        """The span is not made current: a stream may be closed in another context than its own."""
        span = self._meters.tracer.start_span(
            "keepsake.model", attributes={"operation": self._operation}
        )
        began, outcome = time.perf_counter(), "stopped"
        try:
            yield
            outcome = "answered"
        except LeftAlone:
            outcome = "left alone"
            raise
        except Exception:
            outcome = "failed"
            raise
        finally:
            span.set_attribute("outcome", outcome)
            span.end()
            self._count(outcome, time.perf_counter() - began)

    def _count(self, outcome: str, seconds: float) -> None:
        counters = self._meters.counters
        counters.model_calls.labels(self._operation, outcome).inc()
        if outcome == "answered":
            counters.model_seconds.labels(self._operation).observe(seconds)
