"""How much of itself a memory brings to the fore, from its form alone. Pure functions."""

from __future__ import annotations

from memory.models import ItemType, KeptItem

_FULL_LENGTH = 500
_LENGTH = 0.45
_LASTING = 0.20
_PINNED = 0.20
_LASTING_TYPES: frozenset[ItemType] = frozenset(
    {"preference", "procedure", "constraint", "definition"}
)


def salience(content: str, item_type: ItemType, *, pinned: bool) -> float:
    """0.45 · min(bytes / 500, 1) + 0.20 for a lasting type + 0.20 if pinned; 0 to 0.85.

    Specification 004, 1.1. Lasting are preferences, procedures, constraints and definitions. The
    length is in bytes of UTF-8, as 004's Rust counts it.
    """
    length = min(len(content.encode("utf-8", "surrogatepass")) / _FULL_LENGTH, 1.0)
    lasting = _LASTING if item_type in _LASTING_TYPES else 0.0
    return _LENGTH * length + lasting + (_PINNED if pinned else 0.0)


def salience_of(item: KeptItem) -> float:
    """The salience of a memory as it is now."""
    return salience(item.content, item.type, pinned=item.pinned)
