from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from memory.cache import Cache
from memory.circuit_breaker import (
    CircuitBreaker,
    Dependency,
    count_redis_outages,
    make_circuit_breakers,
)
from memory.config import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    Settings,
)
from memory.embeddings.factory import make_embedder
from memory.embeddings.resilient import CircuitBreakerEmbedder
from memory.errors import CircuitOpen
from memory.factory import without_cache, without_circuit_breaker
from memory.metrics import MemoryMetrics
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel

LOCAL = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)
OPENAI = EmbeddingModel(OPENAI_EMBEDDING_MODEL, OPENAI_EMBEDDING_DIMENSIONS)


def guard_of(settings: Settings, cache: Cache) -> CircuitBreaker:
    guard = make_circuit_breakers(settings, LOCAL, cache, MemoryMetrics()).of("model")
    assert guard is not None
    return guard


@pytest.mark.parametrize(("dependency", "seconds"), [("model", 15), ("extraction", 300)])
async def test_a_person_waits_less_for_the_model_than_the_memory_does(
    settings: Settings, cache: Cache, dependency: Dependency, seconds: int
) -> None:
    guard = make_circuit_breakers(settings, LOCAL, cache, MemoryMetrics()).of(dependency)
    assert guard is not None
    for _ in range(5):
        await guard.failed()
    with pytest.raises(CircuitOpen) as raised:
        await guard.enter()
    assert raised.value.fields["seconds"] == seconds


async def broken_off_late(guard: CircuitBreaker) -> None:
    """After longer than the settings wait."""
    with pytest.raises(asyncio.CancelledError):
        async with guard.watch(lambda _: True) as call:
            call.last_activity_at -= 1_000
            raise asyncio.CancelledError


@pytest.mark.parametrize(("model", "opens"), [(LOCAL, False), (OPENAI, True)])
async def test_a_server_that_gives_no_answer_is_away_and_a_busy_machine_is_not(
    settings: Settings, cache: Cache, model: EmbeddingModel, opens: bool
) -> None:
    guard = make_circuit_breakers(settings, model, cache, MemoryMetrics()).of("embedder")
    assert guard is not None
    for _ in range(5):
        await broken_off_late(guard)
    if opens:
        with pytest.raises(CircuitOpen):
            await guard.enter()
    else:
        await guard.enter()


async def test_the_worker_asks_whatever_the_guard_says(
    settings: Settings, cache: Cache, counter: TokenCounter
) -> None:
    guard = guard_of(settings, cache)
    embedder = make_embedder(LOCAL, settings, cache, counter, guard=guard)
    assert isinstance(without_cache(embedder), CircuitBreakerEmbedder)
    assert not isinstance(without_circuit_breaker(embedder), CircuitBreakerEmbedder)
    await embedder.aclose()


async def test_switched_off_there_is_no_guard(settings: Settings, cache: Cache) -> None:
    off = settings.model_copy(update={"error_guard": False})
    guards = make_circuit_breakers(off, LOCAL, cache, MemoryMetrics())
    assert [guards.of(each) for each in ("model", "embedder", "extraction")] == [None] * 3


@pytest.fixture
async def counted() -> AsyncIterator[tuple[Cache, MemoryMetrics]]:
    counters = MemoryMetrics()
    nowhere = Cache("unix:///nowhere/at/all.sock", on_change=count_redis_outages(counters))
    yield nowhere, counters
    await nowhere.aclose()


async def test_an_outage_of_redis_counts_as_one_activation(
    counted: tuple[Cache, MemoryMetrics],
) -> None:
    nowhere, counters = counted
    for _ in range(3):
        await nowhere.run(lambda redis: redis.ping(), otherwise=None)
    labels = {"dependency": "redis"}
    name = "keepsake_error_guard_activations_total"
    assert counters.registry.get_sample_value(name, labels) == 1
    assert counters.registry.get_sample_value("keepsake_error_guard_open", labels) == 1
