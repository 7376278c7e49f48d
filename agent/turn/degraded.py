"""What is said of a memory that works with less than its parts, once in a conversation."""

from __future__ import annotations

from agent.talks.dialogue import Dialogue
from memory.guard import Dependency, Guards

SENTENCES: dict[Dependency, str] = {
    "embedder": "Memory is degraded: the embedding model does not answer, so memories are found by "
    "their words alone. It is tried again by itself.",
    "extraction": "Memory is degraded: the model that learns from messages does not answer, so "
    "simple rules do. It is tried again by itself.",
    "redis": "Memory is degraded: Redis cannot be reached, so it is slower. Redis is tried "
    "again by itself.",
}
WHOLE_AGAIN = "Memory works in full again."


def degraded_notices(guards: Guards, dialogue: Dialogue) -> list[str]:
    """What has not been said in this conversation yet of what is left alone now, and that all is
    well again, after something else was said. The model's own failure is what the reply says."""
    now = guards.open() & SENTENCES.keys()
    fresh = sorted(now - dialogue.degraded)
    ended = bool(dialogue.degraded) and not now
    dialogue.degraded = frozenset(now)
    return [WHOLE_AGAIN] if ended else [SENTENCES[each] for each in fresh]
