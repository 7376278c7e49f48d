"""Events that a question counts from: "before I moved", "after the surgery". Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memory.dates.tense import tense_at
from memory.dates.words import NUMBER, UNIT, pattern
from memory.recall.time.wording import tense_of

Relation = Literal["before", "after"]
_BEFORE = frozenset({"before", "until", "till", "prior to"})
_OF_DAY = (
    r"(?:day|night|week|month|year|evening|morning|weekend|end|start|beginning|middle|age|time"
    r"|fact)"
)
_ANCHOR = pattern(
    rf"\b(?P<words>(?:(?:the\s+(?:day|night|week|month|year|evening|morning)|{NUMBER}\s+{UNIT}s?"
    r"|right|just|shortly|soon|immediately|ever)\s+)*"
    r"(?P<relation>before|after|since|until|till|prior\s+to)\s+"
    r"(?P<anchor>(?P<who>(?:i|we|he|she|they|you)\s+)?"
    r"(?(who)|(?P<thing>(?:the|my|our|his|her|their|[A-Z][\w-]*['’]s)\s+"
    rf"(?!{_OF_DAY}\b)|(?-i:[A-Z][\w-]*)\s+(?=\w+ed\b|left\b|came\b|died\b)))[^,;?.!]+))"
)
# "Who looks after my cat" counts from nothing, and "what to eat before the surgery" is a topic.
_IDIOM = pattern(
    r"\b(?:look(?:s|ed|ing)?|nam(?:e|ed)|run(?:s|ning)?|care[sd]?|chas(?:e|ed))\s+(?:\w+\s+){0,3}$"
)
_INFINITIVE = pattern(r"\bto\s+\w+(?:\s+\w+)*\s+$")
_NEXT_CLAUSE = pattern(
    r"\s+(?=(?:what|where|who|which|how|did|was|were|had)\s+"
    r"(?:did|was|were|i|we|my|our|many|much|had|the|happened|car|phone|job)\b)"
)


@dataclass(frozen=True)
class Anchor:
    """`question[start:end]` are the words, `event` what they count from, which begins at `at`."""

    start: int
    end: int
    relation: Relation
    event: str
    at: int


def find_anchors(question: str) -> Iterator[Anchor]:
    """Those of a question that looks back. What is to be done before the trip, or is done after
    work, belongs to the trip and to work, and not to a moment."""
    for match in _ANCHOR.finditer(question):
        anchor = _anchor(question, match)
        if anchor is not None:
            yield anchor


def _anchor(question: str, match: re.Match[str]) -> Anchor | None:
    event = _cut(match["anchor"], fronted=not question[: match.start()].strip())
    relation = " ".join(match["relation"].lower().split())
    head = question[: match.start()]
    if _INFINITIVE.search(head) or (relation == "after" and _IDIOM.search(head)):
        return None
    end = match.start("anchor") + len(event)
    if match["who"] and tense_at(event, len(event), len(event)) != "past":
        return None
    if not _looks_back(question, match.start(), end, is_clause=bool(match["who"])):
        return None
    before: Relation = "before" if relation in _BEFORE else "after"
    return Anchor(match.start(), end, before, event, match.start("anchor"))


def _cut(event: str, *, fronted: bool) -> str:
    """In front, the anchor ends where the question begins: "before I moved where did I live"."""
    following = _NEXT_CLAUSE.search(event) if fronted else None
    return event[: following.start()].rstrip() if following else event.rstrip()


def _looks_back(question: str, start: int, end: int, *, is_clause: bool) -> bool:
    rest = f"{question[:start]}{question[end:]}"
    if not re.search(r"\w", rest):
        return is_clause
    return tense_of(rest, start, start) == "past"
