"""What type a memory is, by what it is about. Pure."""

from __future__ import annotations

from memory.models import ItemType
from memory.understanding import Category

_BY_CATEGORY: dict[Category, ItemType] = {
    "preference": "preference",
    "decision": "decision",
    "constraint": "constraint",
    "procedure": "procedure",
    "definition": "definition",
    "event": "note",
    "feeling": "note",
}


def type_of(category: Category) -> ItemType:
    """A happening or a feeling is a note (002's episodic memory); who somebody is, owns, knows and
    strives for is a fact (002's semantic memory)."""
    return _BY_CATEGORY.get(category, "fact")
