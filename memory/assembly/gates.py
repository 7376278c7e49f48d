"""What stands before the recalls of memories and of messages, put together."""

from __future__ import annotations

from memory.assembly.parts import Parts, Places, uncached
from memory.assembly.recalling import make_reranking, make_retriever
from memory.assembly.recalling_messages import make_message_retriever
from memory.cache import RateLimiter
from memory.recall.gate import Gate, Recalls
from memory.recall.metered import MeteredGate
from memory.recall.per_model import PerModel
from memory.recall.usage import UsageWriter
from memory.recalls import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
)
from memory.service import Recalling
from memory.store.memories.usage import Usage


def make_recalling(parts: Parts, places: Places) -> Recalling:
    """Both behind one limit of recalls a minute."""
    usage = UsageWriter(Usage(places.database))
    limiter = RateLimiter(places.cache, parts.settings.memory_queries_per_minute)
    return Recalling(
        _memories_gate(parts, places, limiter, usage), _messages_gate(parts, places, limiter), usage
    )


def _memories_gate(
    parts: Parts, places: Places, limiter: RateLimiter, usage: UsageWriter
) -> MeteredGate[MemoryQueryRequest, MemoryQueryResponse]:
    def retriever() -> Recalls[MemoryQueryRequest, MemoryQueryResponse]:
        return make_retriever(
            places.database,
            parts.embedder,
            parts.counter,
            parts.settings,
            places.fingerprint,
            uncached=uncached(parts.embedder),
            usage=usage,
            reranking=make_reranking(parts.reranker, parts.counters, parts.settings),
            clock=parts.clock,
        )

    recalls = PerModel(uncached(parts.embedder), retriever)
    gate = Gate(recalls, places.database.access, limiter, MemoryQueryResponse)
    return MeteredGate(gate, "memories", parts.counters, parts.tracer)


def _messages_gate(
    parts: Parts, places: Places, limiter: RateLimiter
) -> MeteredGate[MessageQueryRequest, MessageQueryResponse]:
    embedder = uncached(parts.embedder)

    def retriever() -> Recalls[MessageQueryRequest, MessageQueryResponse]:
        return make_message_retriever(
            places.database, embedder, parts.counter, parts.settings, places.fingerprint
        )

    recalls = PerModel(embedder, retriever)
    gate = Gate(recalls, places.database.access, limiter, MessageQueryResponse)
    return MeteredGate(gate, "messages", parts.counters, parts.tracer)
