"""Why an answer says what it says: the memories it rests on, those that were left out, and the
words for both. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from agent.talks.answered import Quoted
from memory.models import KeptItem
from memory.recalls import Cut, Why

NOT_LOOKED = "For the last answer memory was not asked."
NOTHING_USED = "The last answer rests on no memory."
_CUTS: Mapping[Cut, str] = {
    "score": "below the cut of {cut:.2f}",
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
    """By its number among all that is explained; `older` is what it took the place of."""

    number: int
    item: KeptItem
    relevance: float
    why: Why | None
    older: tuple[KeptItem, ...] = ()
    replaced_by: KeptItem | None = None


@dataclass(frozen=True)
class UnusedMemory:
    number: int
    item: KeptItem
    relevance: float
    cut: Cut
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
    quoted: tuple[Quoted, ...]


def reason_for(cut: Cut, min_relevance: float) -> str:
    """Which step left a memory out, in plain words."""
    return _CUTS[cut].format(cut=min_relevance)


def how_found(why: Why) -> str:
    """ "1st by its words, 3rd by its meaning"; empty where neither leg found it."""
    ranks = {"words": why.keyword_rank, "meaning": why.vector_rank}
    return ", ".join(f"{_ordinal(rank)} by its {leg}" for leg, rank in ranks.items() if rank)


def figures(why: Why) -> str:
    """What the legs measured, as far as it is known."""
    known = {
        "cosine {:.2f}": why.cosine,
        "BM25 {:.1f}": why.bm25,
        "{:.0%} of the question's words": why.coverage,
    }
    return ", ".join(form.format(value) for form, value in known.items() if value is not None)


def found_line(relevance: float, why: Why | None) -> str:
    """How it was recalled, in one line."""
    told = [how_found(why), *why.notes] if why is not None else []
    said = "; ".join(each for each in told if each)
    return f"recalled with relevance {relevance:.2f}{f' ({said})' if said else ''}"


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
