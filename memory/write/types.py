"""What type a memory is, by what it is about and by the words in it. Pure."""

from __future__ import annotations

import re

from memory.models import ItemType
from memory.write.candidates import Category

_BY_CATEGORY: dict[Category, ItemType] = {
    "preference": "preference",
    "decision": "decision",
    "constraint": "constraint",
    "procedure": "procedure",
    "definition": "definition",
    "event": "note",
}
_DECISION = re.compile(
    r"\b(decided|decision|agreed|chose|settled on|going with|will go with)\b", re.IGNORECASE
)
_PREFERENCE = re.compile(
    r"\b(prefer\w*|favou?rite|likes?|loves?|enjoys?|hates?|dislikes?|rather|can't stand)\b",
    re.IGNORECASE,
)


def type_of(content: str, category: Category | None = None) -> ItemType:
    """The category's type where there is one, else decision, preference or fact by the words.

    A happening is a note (002's episodic memory); who somebody is, owns, knows and strives
    for is a fact (002's semantic memory).
    """
    if category is not None:
        return _BY_CATEGORY.get(category, "fact")
    if _DECISION.search(content):
        return "decision"
    return "preference" if _PREFERENCE.search(content) else "fact"
