"""Specification 003, phase 6: error guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import httpx2
import openai
import pytest
from agents import ModelSettings
from agents.testing import ModelStep, ScriptedModel
from opentelemetry.trace import NoOpTracer

from agent.assistant import Assistant
from agent.models.middleware import CircuitBreakerReader, ModelMeters, ObservedModel
from agent.models.offline import OfflineModel
from agent.turn.lifecycle import AssistantSettings
from agent.turn.notices import DEGRADED_SENTENCES, WHOLE_AGAIN
from memory.cache import SessionCache
from memory.circuit_breaker import BreakerLimits, CircuitBreaker, CircuitBreakers
from memory.config import Settings
from memory.embeddings.resilient import CircuitBreakerEmbedder
from memory.factory import make_memory
from memory.ingestion.extraction import ExtractionInput
from memory.metrics import MemoryMetrics, TokenCosts
from memory.types import MemoryQueryRequest, NewMemory, Origin
from memory.understanding import OfflineReader
from tests.acceptance.conftest import Parts
from tests.acceptance.embedding_server import EmbeddingServer
from tests.agent.scripts import says
from tests.agent.turns import read_exchange, take_turn
from tests.memory.fakes import RereadsAs
from tests.memory.guard.clock import Clock

# As the specification has them.
LIMITS = BreakerLimits(threshold=5, window=600.0, cooldown=300.0)
AWAY = openai.APIConnectionError(request=httpx2.Request("POST", "https://model.example.org"))


@dataclass
class Guarded:
    """An assistant whose embedder is guarded, and what it is made of."""

    clock: Clock
    counters: MemoryMetrics
    server: EmbeddingServer
    guards: CircuitBreakers
    assistant: Assistant

    @property
    def model(self) -> CircuitBreaker:
        guard = self.guards.of("model")
        assert guard is not None
        return guard


@pytest.fixture
async def guarded(parts: Parts) -> AsyncIterator[Guarded]:
    """Whose process stands alone, so that the tests do not open each other's guards."""
    clock, counters, server = Clock(), MemoryMetrics(), EmbeddingServer()
    embedder = CircuitBreaker("embedder", LIMITS, counters, clock=clock)
    guards = CircuitBreakers(
        {"embedder": embedder, "model": CircuitBreaker("model", LIMITS, counters, clock=clock)}
    )
    inner = parts.embedder_of(server)
    memory = make_memory(
        parts.database,
        CircuitBreakerEmbedder(inner, embedder),
        parts.cache,
        parts.counter,
        parts.settings.model_copy(update={"embedding_timeout_seconds": 20.0}),
        counters=counters,
    )
    assistant = Assistant(
        model=OfflineModel(),
        model_settings=ModelSettings(),
        memory=memory,
        cache=SessionCache(parts.cache),
        settings=AssistantSettings(),
        reader=OfflineReader(),
        guards=guards,
    )
    yield Guarded(clock, counters, server, guards, assistant)
    await assistant.aclose()
    await memory.aclose()


def test_the_defaults_are_those_of_the_specification(settings: Settings) -> None:
    """enable_error_guard, error_guard_threshold, …_window_seconds and …_cooldown_seconds."""
    assert settings.error_guard is True
    assert settings.error_guard_threshold == 5
    assert settings.error_guard_window_seconds == 600
    assert settings.error_guard_cooldown_seconds == 300


async def test_errors_that_spike_switch_the_feature_off_and_it_comes_back_by_itself(
    guarded: Guarded, user_id: str
) -> None:
    """Five errors within ten minutes: the embedder is not asked for five minutes, recall goes on
    with keywords; afterwards one call tries, and all is as before."""
    memory = guarded.assistant.memory
    await memory.remember(user_id, NewMemory(content="My bike is green"))

    async def recall(number: int) -> tuple[list[str], tuple[str, ...]]:
        query = f"my green bike {'again ' * number}"
        found = await memory.recall(MemoryQueryRequest(user_id=user_id, query=query))
        return [item.content for item in found.items], found.degraded

    guarded.server.silent = True
    for number in range(5):
        assert await recall(number) == (["My bike is green"], ("vector",))
    asked = len(guarded.server.requests)
    guarded.server.silent = False
    assert await recall(5) == (["My bike is green"], ("vector",))
    assert len(guarded.server.requests) == asked, "it is left alone"
    guarded.clock.pass_seconds(300)
    assert await recall(6) == (["My bike is green"], ())


async def test_errors_spread_over_more_than_the_window_switch_nothing_off(
    guarded: Guarded,
) -> None:
    """Old timestamps are cleaned away."""
    for _ in range(20):
        await guarded.model.failed()
        guarded.clock.pass_seconds(150)
    assert not guarded.model.is_open


async def test_memory_is_degraded_is_said_once(
    guarded: Guarded, user_id: str, conversation: UUID
) -> None:
    """And once that it works again."""
    guarded.server.silent = True
    for number in range(3):
        query = MemoryQueryRequest(user_id=user_id, query=f"what is number {number}?")
        await guarded.assistant.memory.recall(query)
    notices: list[str] = []
    for text in ("What colour is my bike?", "Where do I park?", "Who is Maria?"):
        told = await take_turn(guarded.assistant, user_id, conversation, text)
        notices += told.closed.notices
    assert notices == [DEGRADED_SENTENCES["embedder"]]
    guarded.server.silent = False
    guarded.clock.pass_seconds(300)
    told = await take_turn(guarded.assistant, user_id, conversation, "What is my dog called?")
    assert told.closed.notices == (WHOLE_AGAIN,)


async def test_a_model_that_keeps_failing_is_said_at_once_and_the_message_is_kept(
    parts: Parts, guarded: Guarded, user_id: str, conversation: UUID
) -> None:
    inner = ScriptedModel([*(ModelStep.raise_error(AWAY) for _ in range(5)), says("Here I am.")])
    meters = ModelMeters(guarded.counters, TokenCosts(guarded.counters, {}), NoOpTracer())
    guarded.assistant = Assistant(
        model=ObservedModel(inner, meters, guarded.model, name="m"),
        model_settings=ModelSettings(),
        memory=guarded.assistant.memory,
        cache=SessionCache(parts.cache),
        settings=AssistantSettings(),
        reader=OfflineReader(),
        guards=guarded.guards,
    )
    for _ in range(5):
        await take_turn(guarded.assistant, user_id, conversation, "Hello?")
    told = await take_turn(guarded.assistant, user_id, conversation, "Are you there?")
    assert "tried again in 300 seconds" in str(told.error)
    assert "Your message is saved" in str(told.error)
    exchange = await read_exchange(parts.database, user_id)
    assert ("user", "Are you there?", "complete") in exchange
    guarded.clock.pass_seconds(300)
    told = await take_turn(guarded.assistant, user_id, conversation, "And now?")
    assert told.text == "Here I am."
    await guarded.assistant.aclose()


async def test_while_the_guard_is_active_extraction_is_skipped_and_the_rules_read_on(
    parts: Parts, user_id: str
) -> None:
    failing, counters = RereadsAs(error=ValueError("no JSON")), MemoryMetrics()
    guard = CircuitBreaker("extraction", LIMITS, counters, clock=Clock())
    memory = make_memory(
        parts.database,
        parts.embedder,
        parts.cache,
        parts.counter,
        parts.settings,
        reader=CircuitBreakerReader(failing, guard),
        counters=counters,
    )
    towns = ("Oslo", "Lisbon", "Kyoto", "Lima", "Accra", "Perth", "Quito")
    kept = 0
    for town in towns:
        text = f"My colleague {town[::-1].title()} moved to {town} for her new job last year."
        said = ExtractionInput(text=text, said_at=datetime.now(UTC))
        kept += len(await memory.learn(user_id, "default", said, origin=Origin()))
    assert len(failing.read) == 5
    assert kept > 0
    await memory.aclose()


async def test_guard_triggers_are_counted(guarded: Guarded) -> None:
    """`error_guard_activations_total`."""
    for _ in range(12):
        await guarded.model.failed()
    name = "keepsake_error_guard_activations_total"
    assert guarded.counters.registry.get_sample_value(name, {"dependency": "model"}) == 1
