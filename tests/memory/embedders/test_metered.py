from __future__ import annotations

import asyncio

import pytest

from memory.embeddings.resilient import MeteredEmbedder
from memory.errors import EmbeddingUnavailable
from memory.metrics import MemoryMetrics
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder


def counted(counters: MemoryMetrics, name: str, operation: str) -> float | None:
    return counters.registry.get_sample_value(f"keepsake_{name}", {"operation": operation})


async def test_calls_are_timed_by_what_they_were_for() -> None:
    counters, inner = MemoryMetrics(), WordEmbedder()
    embedder = MeteredEmbedder(inner, counters)
    assert (embedder.model, embedder.dimensions) == (inner.model, inner.dimensions)
    await embedder.embed_query("tea")
    await embedder.embed_texts(["tea", "coffee"])
    await embedder.embed_texts(["jazz"])
    assert inner.texts == ["tea", "coffee", "jazz"]
    assert counted(counters, "embed_seconds_count", "query") == 1
    assert counted(counters, "embed_seconds_count", "texts") == 2
    assert counted(counters, "embed_failures_total", "query") == 0


async def test_a_failure_is_counted_and_not_timed() -> None:
    counters = MemoryMetrics()
    with pytest.raises(EmbeddingUnavailable):
        await MeteredEmbedder(BrokenEmbedder(), counters).embed_query("tea")
    assert counted(counters, "embed_failures_total", "query") == 1
    assert counted(counters, "embed_seconds_count", "query") == 0


async def test_a_call_that_nobody_waits_for_is_neither() -> None:
    counters = MemoryMetrics()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await MeteredEmbedder(SilentEmbedder(), counters).embed_query("tea")
    assert counted(counters, "embed_failures_total", "query") == 0
    assert counted(counters, "embed_seconds_count", "query") == 0
