"""A model whose calls, tokens and times are counted, and models and readings behind circuit
breakers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import openai
from agents import Model, ModelResponse
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses import ResponseCompletedEvent
from opentelemetry.trace import Tracer

from agent.models.offline import OFFLINE_MODEL_NAME
from memory.circuit_breaker import CircuitBreaker, ProtectedCall
from memory.config import Settings
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics, TokenCosts
from memory.understanding import Interpretation, MessageText, SecondReader

Operation = Literal["answer", "extract", "rerank", "summarise"]


@dataclass(frozen=True)
class ModelMeters:
    """Where the calls of all models are counted."""

    counters: MemoryMetrics
    spending: TokenCosts
    tracer: Tracer


def observe(
    model: Model,
    settings: Settings,
    counters: MemoryMetrics,
    tracer: Tracer,
    breaker: CircuitBreaker | None = None,
) -> ObservedModel:
    """The model of the settings, or the offline one, where it is called to answer. The offline one
    calls nobody, and has no breaker."""
    meters = ModelMeters(counters, TokenCosts(counters, settings.prices), tracer)
    if settings.has_model:
        return ObservedModel(model, meters, breaker, name=settings.openai_model)
    return ObservedModel(model, meters, name=OFFLINE_MODEL_NAME)


class ObservedModel(Model):
    """Passes everything on to the `inner` model, called `name` in the prices. Raises CircuitOpen
    where that keeps failing, without asking it, which counts as `left alone`. A stream that nobody
    reads to its end is `stopped`: what its tokens were the server has not said."""

    def __init__(
        self,
        inner: Model,
        meters: ModelMeters,
        breaker: CircuitBreaker | None = None,
        *,
        name: str,
        operation: Operation = "answer",
    ) -> None:
        self._inner = inner
        self._meters = meters
        self._breaker = breaker
        self._name = name
        self._operation: Operation = operation

    def called_for(self, operation: Operation) -> ObservedModel:
        """The same model, counted under another operation."""
        return ObservedModel(
            self._inner, self._meters, self._breaker, name=self._name, operation=operation
        )

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        with self._measured():
            async with self._watched():
                response = await self._inner.get_response(*given, **named)
        self._spend(response.usage.input_tokens, response.usage.output_tokens)
        return response

    async def stream_response(
        self, *given: Any, **named: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        with self._measured():
            async with self._watched() as call:
                stream: Any = self._inner.stream_response(*given, **named)
                async with aclosing(stream):
                    async for event in stream:
                        if call is not None:
                            call.heard()
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

    def _watched(self) -> AbstractAsyncContextManager[ProtectedCall | None]:
        return nullcontext() if self._breaker is None else self._breaker.watch(is_server_trouble)

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
        except CircuitOpen:
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


# What says that the server is away or overburdened. Whatever else goes wrong is about the one
# request, and must not take the model from everybody else.
SERVER_TROUBLE = (
    openai.APIConnectionError,
    openai.InternalServerError,
    openai.RateLimitError,
    asyncio.TimeoutError,
    OSError,
)


class CircuitBreakerReader:
    """Raises CircuitOpen where readings keep failing; the offline reading stands then."""

    def __init__(self, inner: SecondReader, guard: CircuitBreaker) -> None:
        self._inner = inner
        self._guard = guard

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        async with self._guard.watch(is_reading_trouble):
            return await self._inner.read_again(message, first)


def is_server_trouble(error: Exception) -> bool:
    return isinstance(error, SERVER_TROUBLE)


def is_reading_trouble(error: Exception) -> bool:
    """That the model is left alone is no failure of the reading."""
    return not isinstance(error, CircuitOpen)


def reader_with_breaker(
    reader: SecondReader | None, guard: CircuitBreaker | None
) -> SecondReader | None:
    """None where no model reads anyway."""
    if guard is None or reader is None:
        return reader
    return CircuitBreakerReader(reader, guard)
