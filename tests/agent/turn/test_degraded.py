from __future__ import annotations

from agent.conversations.state import ConversationState
from agent.turn.notices import DEGRADED_SENTENCES, WHOLE_AGAIN, degraded_notices
from memory.circuit_breaker import BreakerLimits, CircuitBreaker, CircuitBreakers
from memory.metrics import MemoryMetrics
from tests.memory.guard.clock import Clock


def made(clock: Clock) -> tuple[CircuitBreaker, CircuitBreaker, CircuitBreakers]:
    limits = BreakerLimits(threshold=1, window=60.0, cooldown=30.0)
    embedder, model = (
        CircuitBreaker(name, limits, MemoryMetrics(), clock=clock) for name in ("e", "m")
    )
    return embedder, model, CircuitBreakers({"embedder": embedder, "model": model})


async def test_it_is_said_once_in_a_conversation_and_once_that_it_is_over() -> None:
    clock, here, there = Clock(), ConversationState("default"), ConversationState("default")
    embedder, _, guards = made(clock)
    assert degraded_notices(guards, here) == []
    await embedder.failed()
    assert degraded_notices(guards, here) == [DEGRADED_SENTENCES["embedder"]]
    assert degraded_notices(guards, here) == []
    assert degraded_notices(guards, there) == [DEGRADED_SENTENCES["embedder"]]
    clock.pass_seconds(30)
    await embedder.enter()
    assert degraded_notices(guards, here) == [], "it is only tried"
    await embedder.answered()
    assert degraded_notices(guards, here) == [WHOLE_AGAIN]
    assert degraded_notices(guards, here) == []
    await embedder.failed()
    assert degraded_notices(guards, here) == [DEGRADED_SENTENCES["embedder"]], (
        "another outage is news"
    )


async def test_of_the_model_the_reply_itself_tells() -> None:
    _, model, guards = made(Clock())
    await model.failed()
    assert degraded_notices(guards, ConversationState("default")) == []


def test_each_sentence_names_the_memory_as_degraded() -> None:
    assert all(each.startswith("Memory is degraded: ") for each in DEGRADED_SENTENCES.values())
