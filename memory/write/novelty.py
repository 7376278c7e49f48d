"""Is a memory new, a repeat of an older one, or does it replace one? A pure decision.

Numbers: 000 (SimHash, at most 3 bits), 003 phase 7 (cosine 0.97, text 0.95), 004 1.3 (novel below
a cosine of 0.82); what they leave open is judged by a trained model of pairs
(docs/decisions/0026-relations.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from memory.understanding import Related, Standing
from memory.understanding.relations import RELATIONS, UNRELATED, Relation, Relations, relations_of
from memory.write.likeness import (
    NOVEL_COSINE,
    near_identical,
    quotes,
    same_names,
    same_words,
    says_no_more,
)

# Found on writers and families that were held out; see the decision. Replacing wrongly is worst.
REPLACE_FROM = 0.94
ASK_FROM = 0.45
REPEAT_FROM = 0.9
# Of two that the numbers call one text.
NEAR_REPEAT_FROM = 0.3
_TOLD: dict[Standing, Relation] = {
    "replaces": "replaces",
    "unsure": "replaces",
    "ends": "ends",
    "repeats": "repeats",
    "adds_to": "adds",
}
_ORDER = ("text", "simhash", "cosine", "restatement")
_SENTENCE_END = re.compile(r"[.!?…]\s+\S|\n\s*\S|[。！？]\S")
# So many of the nearest are judged, from this cosine on: what is replaced is nearly always among
# them, and the model has seen few pairs that have nothing to do with each other.
_MOST_JUDGED, _RELATED_FROM = 12, 0.3
Relate: TypeAlias = Callable[[str, Sequence[str]], Sequence[Relations]]


@dataclass(frozen=True)
class Neighbour:
    """A memory of the same user and space that may say the same or the contrary.

    `replaced`: it was superseded by a later one, and is here in case that it holds again. `told`
    is how the new memory stands to it, where a reader that was shown it has said so.
    """

    id: UUID
    content: str
    simhash: int | None
    cosine: float | None
    pinned: bool
    manually_saved: bool
    created_at: datetime
    occurred_at: datetime | None
    replaced: bool
    told: Relations | None = None

    @property
    def kept_by_hand(self) -> bool:
        return self.pinned or self.manually_saved

    @property
    def has_happened(self) -> bool:
        """Whether it had when it was told: nothing that is told later takes that back."""
        return self.occurred_at is not None and self.occurred_at <= self.created_at


@dataclass(frozen=True)
class Decision:
    """`of`: the canonical memory of a repeat, those replaced (oldest first), or the one that is
    asked about.

    `why` is one machine word for the audit: "text", "simhash", "cosine", "restatement",
    "revived", "change", "ending".
    """

    kind: Literal["new", "repeat", "replace", "ask"]
    of: tuple[UUID, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class _Compared:
    """A neighbour with what makes it the same as the new memory, and how both stand."""

    neighbour: Neighbour
    likeness: str | None
    relations: Relations

    @property
    def why(self) -> str:
        return "change" if self.relations.replaces >= self.relations.ends else "ending"

    @property
    def may_be_replaced(self) -> bool:
        """Not by itself where somebody kept it by hand, nor where it tells several things."""
        told = self.neighbour
        if told.has_happened:
            return False
        several = _SENTENCE_END.search(told.content) is not None
        sure = self.relations.over >= REPLACE_FROM and self.relations.whole
        return sure and not told.kept_by_hand and not several

    @property
    def may_be_asked_about(self) -> bool:
        sure = self.relations.over >= ASK_FROM and self.relations.whole
        return sure and not self.neighbour.has_happened


def decide(
    content: str, simhash: int, neighbours: Sequence[Neighbour], relate: Relate = relations_of
) -> Decision:
    """What becomes of a new memory, whatever the order of its neighbours.

    A living memory that says the same makes it a repeat. Those that surely hold no more are
    replaced; the likeliest one is asked about where it is doubtful or was kept by hand. A replaced
    memory that is told again in its words is revived, provided that a living one perhaps holds no
    more. `relate` is
    `relations_of`, or what answers the same quicker, for those of which no reader has told.
    """
    living = _compared(content, simhash, [each for each in neighbours if not each.replaced], relate)
    if repeat := _repeat(living):
        return repeat
    sure = [each for each in living if each.may_be_replaced]
    doubtful = [each for each in living if each.may_be_asked_about]
    if not sure and not doubtful:
        return Decision("new")
    likeliest = max(sure or doubtful, key=lambda each: each.relations.over)
    if not likeliest.neighbour.kept_by_hand:
        before = [each for each in neighbours if each.replaced]
        if again := _repeat(_compared(content, simhash, before, relate)):
            return Decision("repeat", again.of, "revived")
    if sure:
        return Decision("replace", tuple(each.neighbour.id for each in sure), sure[0].why)
    return Decision("ask", (likeliest.neighbour.id,), likeliest.why)


def relations_told(related: Related) -> Relations:
    """What a reader says as the model of pairs would: what it is unsure of is asked about, and the
    rest of its probability is another matter."""
    sure = ASK_FROM if related.standing == "unsure" else related.sure
    told = _TOLD.get(related.standing)
    if told is None:
        return UNRELATED
    shares = {**dict.fromkeys(RELATIONS, 0.0), told: sure, "other": 1 - sure}
    return Relations(**shares, whole=True)


def _compared(
    content: str, simhash: int, neighbours: Sequence[Neighbour], relate: Relate
) -> list[_Compared]:
    """Oldest first."""
    older = sorted(neighbours, key=_age)
    told = {each.id: each.told for each in older if each.told is not None}
    untold = [each for each in older if each.id not in told]
    related = [each for each in untold if (each.cosine or 0.0) >= _RELATED_FROM]
    nearest = sorted(related, key=lambda each: -(each.cosine or 0.0))[:_MOST_JUDGED]
    judged = relate(content, [each.content for each in nearest])
    known = told | {each.id: relations for each, relations in zip(nearest, judged, strict=True)}
    return [
        _Compared(each, _likeness(content, simhash, each, relations), relations or UNRELATED)
        for each in older
        for relations in [known.get(each.id)]
    ]


def _likeness(
    content: str, simhash: int, other: Neighbour, relations: Relations | None
) -> str | None:
    """`relations` is None where they were not judged. What numbers call the same is asked of the
    model, and what the model calls the same of the words: to take something new for a repeat loses
    it."""
    if same_words(content, other.content) or quotes(content, other.content):
        return "text"
    near = near_identical(
        content,
        other.content,
        simhash=simhash,
        other_simhash=other.simhash,
        cosine=other.cosine,
    )
    if near and same_names(content, other.content):
        if relations is not None and relations.whole and relations.repeats < NEAR_REPEAT_FROM:
            return None
        return near
    if relations is None or (other.cosine or 0.0) < NOVEL_COSINE:
        return None
    again = relations.repeats >= REPEAT_FROM and relations.whole
    return "restatement" if again and says_no_more(content, other.content) else None


def _repeat(candidates: Sequence[_Compared]) -> Decision | None:
    """The candidate that is most alike; among equals one kept by hand, then the oldest."""
    alike = [each for each in candidates if each.likeness]
    if not alike:
        return None
    best = min(alike, key=lambda each: (_rank(each), not each.neighbour.kept_by_hand))
    return Decision("repeat", (best.neighbour.id,), best.likeness or "")


def _rank(candidate: _Compared) -> int:
    return _ORDER.index(candidate.likeness or "restatement")


def _age(neighbour: Neighbour) -> tuple[datetime, str, str]:
    return neighbour.created_at, str(neighbour.id), neighbour.content
