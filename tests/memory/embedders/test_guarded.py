from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from memory.circuit_breaker import BreakerLimits, CircuitBreaker
from memory.embeddings.protocol import BestEffortEmbedder, Embedding
from memory.embeddings.resilient import CircuitBreakerEmbedder
from memory.errors import EmbeddingRefused, EmbeddingUnavailable
from memory.metrics import MemoryMetrics
from tests.memory.fakes import RefusingEmbedder, SilentEmbedder, WordEmbedder
from tests.memory.guard.clock import Clock

LIMITS = BreakerLimits(threshold=3, window=60.0, cooldown=30.0)


class Failing(WordEmbedder):
    """Fails until it is mended; counts how often it is asked."""

    asked = 0
    mended = False

    async def embed_query(self, text: str) -> Embedding:
        return (await self.embed_texts([text]))[0]

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.asked += 1
        if not self.mended:
            raise EmbeddingUnavailable(model=self.model, reason="its server cannot be reached")
        return await super().embed_texts(texts)


async def fails(embedder: CircuitBreakerEmbedder) -> str:
    with pytest.raises(EmbeddingUnavailable) as raised:
        await embedder.embed_query("tea")
    return str(raised.value)


async def test_an_embedder_that_keeps_failing_is_not_asked_any_more() -> None:
    clock, failing = Clock(), Failing()
    embedder = CircuitBreakerEmbedder(
        failing, CircuitBreaker("embedder", LIMITS, MemoryMetrics(), clock=clock)
    )
    for _ in range(3):
        assert "cannot be reached" in await fails(embedder)
    assert "left alone for 30 seconds" in await fails(embedder)
    with pytest.raises(EmbeddingUnavailable, match="left alone"):
        await embedder.embed_texts(["tea"])
    assert failing.asked == 3
    failing.mended = True
    clock.pass_seconds(30)
    assert (await embedder.embed_query("tea")).shape == (384,)


async def test_one_that_never_answers_is_left_alone_after_it_was_waited_for() -> None:
    """A recall breaks the wait off; the wait itself is what counts."""
    guard = CircuitBreaker("embedder", LIMITS, MemoryMetrics(), patience=0.01)
    embedder = CircuitBreakerEmbedder(SilentEmbedder(), guard)
    timely = BestEffortEmbedder(embedder, 0.02, event="query_not_embedded")
    for _ in range(3):
        assert await timely.embed_query("tea") is None
    async with asyncio.timeout(30):
        assert "left alone" in await fails(embedder)


async def test_it_passes_for_the_embedder_behind_it() -> None:
    words = WordEmbedder()
    embedder = CircuitBreakerEmbedder(words, CircuitBreaker("embedder", LIMITS, MemoryMetrics()))
    assert (embedder.model, embedder.dimensions) == (words.model, words.dimensions)
    assert len(await embedder.embed_texts(["tea", "coffee"])) == 2
    await embedder.aclose()


async def test_texts_that_are_refused_do_not_count() -> None:
    embedder = CircuitBreakerEmbedder(
        RefusingEmbedder(), CircuitBreaker("embedder", LIMITS, MemoryMetrics())
    )
    for _ in range(4):
        with pytest.raises(EmbeddingRefused):
            await embedder.embed_texts(["refused"])
    assert len(await embedder.embed_texts(["tea"])) == 1
