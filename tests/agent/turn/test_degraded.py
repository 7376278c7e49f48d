from __future__ import annotations

from agent.talks.dialogue import Dialogue
from agent.turn.degraded import SENTENCES, degraded_notices
from agent.wording.wording import IN_ENGLISH
from memory.counters import Counters
from memory.guard import Guard, Guards, Limits
from tests.memory.guard.clock import Clock


def made(clock: Clock) -> tuple[Guard, Guard, Guards]:
    limits = Limits(threshold=1, window=60.0, cooldown=30.0)
    embedder, model = (Guard(name, limits, Counters(), clock=clock) for name in ("e", "m"))
    return embedder, model, Guards({"embedder": embedder, "model": model})


async def test_it_is_said_once_in_a_conversation_and_once_that_it_is_over() -> None:
    clock, here, there = Clock(), Dialogue("default"), Dialogue("default")
    embedder, _, guards = made(clock)
    assert degraded_notices(guards, here) == []
    await embedder.failed()
    assert degraded_notices(guards, here) == [IN_ENGLISH.say("embedder_degraded")]
    assert degraded_notices(guards, here) == []
    assert degraded_notices(guards, there) == [IN_ENGLISH.say("embedder_degraded")]
    clock.pass_seconds(30)
    await embedder.enter()
    assert degraded_notices(guards, here) == [], "it is only tried"
    await embedder.answered()
    assert degraded_notices(guards, here) == [IN_ENGLISH.say("whole_again")]
    assert degraded_notices(guards, here) == []
    await embedder.failed()
    assert degraded_notices(guards, here) == [IN_ENGLISH.say("embedder_degraded")], (
        "another outage is news"
    )


async def test_of_the_model_the_reply_itself_tells() -> None:
    _, model, guards = made(Clock())
    await model.failed()
    assert degraded_notices(guards, Dialogue("default")) == []


def test_each_sentence_names_the_memory_as_degraded() -> None:
    assert all(
        IN_ENGLISH.say(each).startswith("Memory is degraded: ") for each in SENTENCES.values()
    )
