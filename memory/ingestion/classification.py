"""Bank, type, importance and salience of a memory. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from memory.types import DEFAULT_BANK, MemoryType, StoredMemory
from memory.understanding import Category, Lifetime


def bank_for_search(bank: str, allowed: Sequence[str]) -> str:
    """The bank as `allowed` spells it; one that is not there any more may still hold something."""
    return match_bank(bank, allowed) or bank


def resolve_bank(bank: str, allowed: Sequence[str], default: str) -> str:
    """The bank that a reading is for. DEFAULT_BANK is what readings name that speak for none."""
    return default if bank == DEFAULT_BANK else match_bank(bank, allowed) or default


def match_bank(bank: str, allowed: Sequence[str]) -> str | None:
    """The bank as `allowed` spells it, in whatever case it is given; None where it is not there
    (003: "validate bank against allowed list")."""
    spelt = {each.casefold(): each for each in allowed}
    return spelt.get(bank.casefold())


_TYPE_BY_CATEGORY: dict[Category, MemoryType] = {
    "preference": "preference",
    "decision": "decision",
    "constraint": "constraint",
    "procedure": "procedure",
    "definition": "definition",
    "event": "note",
    "feeling": "note",
}


def item_type_of(category: Category) -> MemoryType:
    """A happening or a feeling is a note (002's episodic memory); who somebody is, owns, knows and
    strives for is a fact (002's semantic memory)."""
    return _TYPE_BY_CATEGORY.get(category, "fact")


BASE = 0.2
"""Where no extraction said how important it is: what 003 gives a trivial mention."""

# 003's scale: 1.0 who and where somebody is, 0.8 strong preferences and important relationships,
# 0.6 general interests, 0.4 minor, 0.2 trivial.
_IMPORTANCE_BY_CATEGORY: dict[Category, float] = {
    "identity": 1.0,
    "relationship": 0.8,
    "health": 0.8,
    "constraint": 0.8,
    "preference": 0.8,
    "goal": 0.7,
    "decision": 0.7,
    "project": 0.6,
    "habit": 0.6,
    "procedure": 0.6,
    "possession": 0.6,
    "definition": 0.6,
    "plan": 0.6,
    "event": 0.5,
    "feeling": 0.4,
}
_BY_LIFETIME: dict[Lifetime, float] = {"long": 1.0, "while": 0.8, "days": 0.5}
_ASKED = 0.5
_LASTING = 0.3
_DESCRIBED = 0.2
_LOW_SIGNAL = 0.1
_SURE_OF_TAGS = 0.6
_FIRST_REPEAT = 0.1

# 000's "persistent preferences, commitments, or goals".
_LASTING_CATEGORIES = frozenset({"preference", "goal", "decision", "constraint"})
# Types that say nothing of what a memory is about.
_PLAIN_TYPES = frozenset({"fact", "note"})


def base_importance(category: Category, lifetime: Lifetime, told: float) -> float:
    """Where the weighing of what was heard begins: its category's worth, four fifths of it for what
    holds for a while and half of it for what passes in days, times how probable it is that it was
    `told` at all. What was kept in doubt is so the first to be trimmed."""
    return round(_IMPORTANCE_BY_CATEGORY[category] * _BY_LIFETIME[lifetime] * clamp(told), 2)


def importance(
    *, asked: bool, category: str, confidence: float, has_tags: bool, base: float = BASE
) -> float:
    """1 - (1 - base) · (1 - 0.5 asked) · (1 - 0.3 lasting) · (1 - 0.2 described), less 0.1 for
    what is low-signal; 0 to 1.

    The weights are 000's heuristics. They are joined as a noisy-or, each taking its share of what
    is missing to 1, and not added up: on top of 003's scale sums end at 1 for most of what is
    worth keeping, and order nothing. From nothing, one sign alone is worth what 000 says.

    `base` is 003's importance (0.2 a trivial mention … 1.0 identity) where an extraction gave one,
    else 0.2. Lasting are preferences, goals, decisions and constraints; described is what has tags
    or entities that were found with a confidence of at least 0.6. Low-signal, 000's chit-chat, is a
    plain fact or note without tags for which nobody asked.
    """
    lasting = category in _LASTING_CATEGORIES
    described = has_tags and confidence >= _SURE_OF_TAGS
    value = clamp(base)
    for holds, weight in ((asked, _ASKED), (lasting, _LASTING), (described, _DESCRIBED)):
        value = _joined(value, weight) if holds else value
    low_signal = category in _PLAIN_TYPES and not has_tags and not asked
    return clamp(value - (_LOW_SIGNAL if low_signal else 0))


def pinned_importance(value: float) -> float:
    """What pinning makes of an importance: half of what is missing to 1, 000's +0.5, joined as
    above."""
    return _joined(clamp(value), _ASKED)


def repeat_boost(repeat_count: int) -> float:
    """What the repeat of this number, from 1, adds: 0.1 · 0.5^(n - 1); nothing below 1.

    Added up over n repeats this is 000's f(n) = 0.2 · (1 - 0.5^n): always more, never above 0.2,
    so that what is only said often does not overtake what the user asked to keep.
    """
    return _FIRST_REPEAT * 0.5 ** (repeat_count - 1) if repeat_count >= 1 else 0.0


def _joined(value: float, weight: float) -> float:
    return value + (1 - value) * weight


def clamp(value: float) -> float:
    """The nearest number in [0, 1]; 0 for NaN, which the database's check refuses."""
    return min(1.0, max(0.0, value))


_FULL_LENGTH = 500
_LENGTH = 0.45
_SALIENCE_OF_LASTING = 0.20
_PINNED = 0.20
_LASTING_TYPES: frozenset[MemoryType] = frozenset(
    {"preference", "procedure", "constraint", "definition"}
)


def salience(content: str, item_type: MemoryType, *, pinned: bool) -> float:
    """0.45 · min(bytes / 500, 1) + 0.20 for a lasting type + 0.20 if pinned; 0 to 0.85.

    Specification 004, 1.1. Lasting are preferences, procedures, constraints and definitions. The
    length is in bytes of UTF-8, as 004's Rust counts it.
    """
    length = min(len(content.encode("utf-8", "surrogatepass")) / _FULL_LENGTH, 1.0)
    lasting = _SALIENCE_OF_LASTING if item_type in _LASTING_TYPES else 0.0
    return _LENGTH * length + lasting + (_PINNED if pinned else 0.0)


def salience_of(item: StoredMemory) -> float:
    """The salience of a memory as it is now."""
    return salience(item.content, item.type, pinned=item.pinned)
