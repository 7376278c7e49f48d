"""What an answer rests on, and why it says what it says, in words. Pure.

The basis holds ids and figures, never the words of a memory, so that what is forgotten is not kept
in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.types import (
    ExclusionReason,
    MemoryItem,
    MemoryQueryResponse,
    RecalledMessage,
    Role,
    StoredMemory,
    Why,
)


@dataclass(frozen=True)
class AnswerMemory:
    """A memory that the answer could rest on; `answers` is the probability that it answers by
    itself."""

    id: UUID
    relevance: float
    answers: float
    why: Why | None


@dataclass(frozen=True)
class AnswerLeftOut:
    """A memory that a recall looked at and left out."""

    id: UUID
    relevance: float
    cut: ExclusionReason


@dataclass(frozen=True)
class AnswerQuote:
    """A past message that the answer could rest on."""

    role: Role
    said_at: datetime
    relevance: float


@dataclass(frozen=True)
class AnswerBasis:
    """`unused` has the most relevant first; `looked` says whether memory was asked at all, and
    `min_relevance` what a memory had to reach."""

    min_relevance: float
    looked: bool = True
    rested: tuple[AnswerMemory, ...] = ()
    unused: tuple[AnswerLeftOut, ...] = ()
    quoted: tuple[AnswerQuote, ...] = ()

    @property
    def ids(self) -> tuple[UUID, ...]:
        """In the order in which they are numbered, from 1: what was used, then what was not."""
        return (*(each.id for each in self.rested), *(each.id for each in self.unused))


def make_answer_basis(
    recalled: Iterable[MemoryItem],
    recalls: Sequence[MemoryQueryResponse],
    messages: Iterable[RecalledMessage],
    min_relevance: float,
) -> AnswerBasis:
    """Of a turn: what its recalls brought in, and what all of them left out, each once."""
    rested = tuple(
        AnswerMemory(UUID(each.id), each.relevance_score, each.answer_score, each.why)
        for each in recalled
    )
    return AnswerBasis(
        min_relevance,
        bool(recalls),
        rested,
        _unused(recalls, {each.id for each in rested}),
        tuple(AnswerQuote(each.role, each.created_at, each.relevance_score) for each in messages),
    )


def _unused(recalls: Sequence[MemoryQueryResponse], used: set[UUID]) -> tuple[AnswerLeftOut, ...]:
    best: dict[UUID, AnswerLeftOut] = {}
    for told in (each for response in recalls for each in response.left_out):
        found = AnswerLeftOut(UUID(told.id), told.relevance, told.why)
        known = best.get(found.id)
        if found.id not in used and (known is None or known.relevance < found.relevance):
            best[found.id] = found
    return tuple(sorted(best.values(), key=lambda each: -each.relevance))


NOT_LOOKED = "For the last answer memory was not asked."
NOTHING_USED = "The last answer rests on no memory."
_CUTS: Mapping[ExclusionReason, str] = {
    "score": "below the cut of {cut:.2f}",
    "answer": "near, but no sure answer",
    "order": "gives orders",
    "person": "about somebody else",
    "time": "of another time",
    "question": "only asks",
    "similar": "says the same as another",
    "limit": "beyond the limit",
    "budget": "no room in the budget",
}
_TEENS = range(11, 14)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True)
class UsedMemory:
    """By its number among all that is explained."""

    number: int
    item: StoredMemory
    relevance: float
    answers: float
    why: Why | None


@dataclass(frozen=True)
class UnusedMemory:
    number: int
    item: StoredMemory
    relevance: float
    cut: ExclusionReason
    reason: str

    @property
    def share(self) -> str:
        """The relevance, rounded down: what is below the cut shall not look as if it reached it."""
        return f"{math.floor(round(self.relevance * 100, 6)) / 100:.2f}"


@dataclass(frozen=True)
class Explanation:
    """`gone` counts what the answer rested on and was forgotten since; `more` what was left out
    besides `unused`, which is cut."""

    looked: bool
    used: tuple[UsedMemory, ...]
    gone: int
    unused: tuple[UnusedMemory, ...]
    more: int
    quoted: tuple[AnswerQuote, ...]


def cut_reason(cut: ExclusionReason, min_relevance: float) -> str:
    """Which step left a memory out, in plain words."""
    return _CUTS[cut].format(cut=min_relevance)


def how_found(why: Why) -> str:
    """ "1st by its words, 3rd by its meaning"; empty where neither leg found it."""
    ranks = {"words": why.keyword_rank, "meaning": why.vector_rank}
    return ", ".join(f"{_ordinal(rank)} by its {leg}" for leg, rank in ranks.items() if rank)


def format_measures(why: Why) -> str:
    """What the legs measured, as far as it is known."""
    known = {
        "cosine {:.2f}": why.cosine,
        "BM25 {:.1f}": why.bm25,
        "{:.0%} of the question's words": why.coverage,
    }
    return ", ".join(form.format(value) for form, value in known.items() if value is not None)


def found_line(relevance: float, answers: float, why: Why | None) -> str:
    """How it was recalled, in one line."""
    told = [how_found(why), *why.notes] if why is not None else []
    said = "; ".join(each for each in told if each)
    likely = f"relevance {relevance:.2f}, answers {answers:.2f}"
    return f"recalled with {likely}{f' ({said})' if said else ''}"


def unused_line(explanation: Explanation) -> str:
    """How many were left out, by reason; no words, since the answer is kept and a model reads it.
    Empty where none was."""
    if not explanation.unused:
        return ""
    counts = Counter(each.reason for each in explanation.unused)
    told = ", ".join(f"{reason} ({count})" for reason, count in counts.items())
    more = f", and {explanation.more} more" if explanation.more else ""
    return f"Left out: {told}{more}. /why shows them."


def _ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in _TEENS else _ENDINGS.get(rank % 10, "th")
    return f"{rank}{ending}"
