"""Embedders around an embedder: calls are timed, counted and traced, and stopped by a circuit
breaker."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Literal

from opentelemetry.trace import NoOpTracer, Tracer

from memory.circuit_breaker import CircuitBreaker
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import CircuitOpen, EmbeddingRefused, EmbeddingUnavailable, format_seconds
from memory.metrics import MemoryMetrics
from memory.tracing import in_span

EmbeddingOperation = Literal["query", "texts"]


class MeteredEmbedder:
    """Stands behind the cache, so that what it measures is the model. A call that fails counts as
    a failure and not in the times; one that nobody waits for any more counts as neither."""

    def __init__(
        self, inner: Embedder, counters: MemoryMetrics, tracer: Tracer | None = None
    ) -> None:
        self.inner = inner
        self._counters = counters
        self._tracer = tracer or NoOpTracer()

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    async def embed_query(self, text: str) -> Embedding:
        with self._measured("query", 1):
            return await self.inner.embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        with self._measured("texts", len(texts)):
            return await self.inner.embed_texts(texts)

    async def aclose(self) -> None:
        await self.inner.aclose()

    @contextmanager
    def _measured(self, operation: EmbeddingOperation, count: int) -> Iterator[None]:
        with in_span(self._tracer, "keepsake.embed", operation=operation, texts=count):
            began = time.perf_counter()
            try:
                yield
            except Exception:
                self._counters.embed_failures.labels(operation).inc()
                raise
            seconds = time.perf_counter() - began
            self._counters.embed_seconds.labels(operation).observe(seconds)


class CircuitBreakerEmbedder:
    """While the `guard` leaves the model alone, recall goes on with keywords at once. Every failure
    of the `inner` embedder counts, but for texts of a batch that it refuses: those are looked for
    among the others, one refusal after the other."""

    def __init__(self, inner: Embedder, guard: CircuitBreaker) -> None:
        self.inner = inner
        self.model = inner.model
        self.dimensions = inner.dimensions
        self._guard = guard

    async def embed_query(self, text: str) -> Embedding:
        async with self._watched(_counts_always):
            return await self.inner.embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        async with self._watched(_counts_of_texts):
            return await self.inner.embed_texts(texts)

    async def aclose(self) -> None:
        await self.inner.aclose()

    @asynccontextmanager
    async def _watched(self, counts: Callable[[Exception], bool]) -> AsyncIterator[None]:
        try:
            async with self._guard.watch(counts):
                yield
        except CircuitOpen as error:
            wait = format_seconds(error.fields["seconds"])
            reason = f"it failed too often and is left alone for {wait}"
            raise EmbeddingUnavailable(model=self.model, reason=reason) from None


def _counts_always(_error: Exception) -> bool:
    return True


def _counts_of_texts(error: Exception) -> bool:
    return not isinstance(error, EmbeddingRefused)
