"""Whether a reply used a memory that was recalled for it. Pure, English words."""

from __future__ import annotations

from collections.abc import Iterable

from memory.recall.messages.asking import telling_words

# Of the words that a memory adds to the question. A reply that tells it in other words is missed,
# one that shares half of them by chance is taken: over many turns it is a rate, not a proof.
LEAST_SHARE = 0.5


def uses(reply: str, question: str, memory: str) -> bool:
    """Whether it holds at least half of what the memory says beyond the question's own words. A
    memory that adds no word cannot be told from the question, and counts as not used."""
    own = telling_words(memory) - telling_words(question)
    return bool(own) and len(own & telling_words(reply)) >= LEAST_SHARE * len(own)


def uses_any(reply: str, question: str, memories: Iterable[str]) -> bool:
    return any(uses(reply, question, memory) for memory in memories)
