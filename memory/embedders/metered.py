"""An embedder whose calls are timed and counted, and shown as spans where traces are wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from opentelemetry.trace import NoOpTracer, Tracer

from memory.counters import Counters
from memory.embedders.protocol import Embedder, Embedding
from memory.spans import in_span

Operation = Literal["query", "texts"]


class MeteredEmbedder:
    """Stands behind the cache, so that what it measures is the model. A call that fails counts as
    a failure and not in the times; one that nobody waits for any more counts as neither."""

    def __init__(self, inner: Embedder, counters: Counters, tracer: Tracer | None = None) -> None:
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
    def _measured(self, operation: Operation, count: int) -> Iterator[None]:
        with in_span(self._tracer, "keepsake.embed", operation=operation, texts=count):
            began = time.perf_counter()
            try:
                yield
            except Exception:
                self._counters.embed_failures.labels(operation).inc()
                raise
            seconds = time.perf_counter() - began
            self._counters.embed_seconds.labels(operation).observe(seconds)
