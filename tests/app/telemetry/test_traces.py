from __future__ import annotations

from uuid import UUID, uuid4

import structlog
from agents import ModelSettings
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracer

from agent.assistant import Assistant
from agent.models.middleware import observe
from agent.models.offline import OfflineModel
from agent.turn.lifecycle import AssistantSettings
from app.telemetry.traces import bind_correlation_id, export_spans, open_tracer
from memory.cache import Cache, SessionCache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.embeddings.resilient import MeteredEmbedder
from memory.factory import make_memory
from memory.metrics import MemoryMetrics
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import NewMemory
from memory.understanding import OfflineReader
from tests.agent.turns import take_turn

WORDS = ("Oslo", "live", "somebody")


async def test_without_an_endpoint_no_span_is_made(settings: Settings) -> None:
    async with open_tracer(settings) as tracer:
        assert not tracer.start_span("keepsake.turn").is_recording()


async def test_a_turn_is_traced_with_all_its_steps_and_none_of_its_words(
    database: Database,
    local_embedder: Embedder,
    cache: Cache,
    settings: Settings,
    conversation: UUID,
) -> None:
    user_id = f"user-{uuid4()}"
    spans, counters, turn_id = InMemorySpanExporter(), MemoryMetrics(), uuid4()
    async with export_spans(spans) as tracer:
        embedder = MeteredEmbedder(local_embedder, counters, tracer)
        memory = make_memory(
            database, embedder, cache, TokenCounter(), settings, counters=counters, tracer=tracer
        )
        assistant = Assistant(
            model=observe(OfflineModel(), settings, counters, tracer),
            model_settings=ModelSettings(),
            memory=memory,
            cache=SessionCache(cache),
            settings=AssistantSettings(),
            reader=OfflineReader(),
        )
        await memory.remember(user_id, NewMemory(content="I live in Oslo"))
        with bind_correlation_id(turn_id, tracer, "keepsake.turn"):
            told = await take_turn(assistant, user_id, conversation, "Where do I live?")
        await assistant.aclose()
        await memory.aclose()
    made = spans.get_finished_spans()
    [turn] = [each for each in made if each.name == "keepsake.turn"]
    assert "Oslo" in told.text
    assert (turn.attributes or {})["correlation_id"] == str(turn_id)
    of_turn = {each.name for each in made if each.context.trace_id == turn.context.trace_id}
    assert {"keepsake.recall", "keepsake.embed", "keepsake.model"} <= of_turn
    assert "keepsake.write" in {each.name for each in made}
    text = "".join(each.to_json() for each in made)
    assert not any(word in text for word in WORDS)


def test_within_a_turn_every_line_of_the_log_has_its_id() -> None:
    turn_id = uuid4()
    with bind_correlation_id(turn_id, NoOpTracer(), "keepsake.turn"):
        assert structlog.contextvars.get_contextvars()["correlation_id"] == str(turn_id)
    assert "correlation_id" not in structlog.contextvars.get_contextvars()
