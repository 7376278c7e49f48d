"""What is said of a memory that works with less than its parts, once in a conversation."""

from __future__ import annotations

from collections.abc import Mapping

from agent.talks.dialogue import Dialogue
from memory.guard import Dependency, Guards

SENTENCES: Mapping[Dependency, str] = {
    "embedder": "embedder_degraded",
    "extraction": "reader_degraded",
    "redis": "redis_degraded",
}


def degraded_notices(guards: Guards, dialogue: Dialogue) -> list[str]:
    """What has not been said in this conversation yet of what is left alone now, and that all is
    well again, after something else was said. The model's own failure is what the reply says."""
    now = guards.open() & SENTENCES.keys()
    fresh = sorted(now - dialogue.degraded)
    ended = bool(dialogue.degraded) and not now
    dialogue.degraded = frozenset(now)
    names = ["whole_again"] if ended else [SENTENCES[each] for each in fresh]
    return [dialogue.wording.say(each) for each in names]
