"""How much a memory is worth in the long run, 0 to 1. Pure functions."""

from __future__ import annotations

BASE = 0.2
"""Where no extractor said how important it is: what 003 gives a trivial mention."""

_ASKED = 0.5
_LASTING = 0.3
_DESCRIBED = 0.2
_CHIT_CHAT = -0.1
_SURE_OF_TAGS = 0.6
_FIRST_REPEAT = 0.1

# 000's "persistent preferences, commitments, or goals".
_LASTING_CATEGORIES = frozenset({"preference", "goal", "decision", "constraint"})


def importance(
    *,
    asked: bool,
    category: str,
    confidence: float,
    has_tags: bool,
    chit_chat: bool,
    base: float = BASE,
) -> float:
    """clamp(base + 0.5 asked + 0.3 lasting + 0.2 described - 0.1 chit-chat), 000's heuristics.

    `base` is 003's importance (0.2 a trivial mention … 1.0 identity) where an extractor gave one,
    else 0.2, so that the judgement of what was said and what is known of it add up. Lasting are
    preferences, goals, decisions and constraints; described is what has tags or entities that were
    found with a confidence of at least 0.6.
    """
    value = base
    if asked:
        value += _ASKED
    if category in _LASTING_CATEGORIES:
        value += _LASTING
    if has_tags and confidence >= _SURE_OF_TAGS:
        value += _DESCRIBED
    if chit_chat:
        value += _CHIT_CHAT
    return clamp(value)


def repeat_boost(repeat_count: int) -> float:
    """What the repeat of this number, from 1, adds: 0.1 · 0.5^(n - 1); nothing below 1.

    Added up over n repeats this is 000's f(n) = 0.2 · (1 - 0.5^n): always more, never above 0.2,
    so that what is only said often does not overtake what the user asked to keep.
    """
    return _FIRST_REPEAT * 0.5 ** (repeat_count - 1) if repeat_count >= 1 else 0.0


def clamp(value: float) -> float:
    """The nearest number in [0, 1]; 0 for NaN, which the database's check refuses."""
    return min(1.0, max(0.0, value))
