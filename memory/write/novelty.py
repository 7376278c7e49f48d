"""Is a memory new, a repeat of an older one, or does it replace one? A pure decision.

Numbers: 000 (SimHash, at most 3 bits), 003 phase 7 (cosine 0.97, text 0.95), 004 1.3 (novel
below a cosine of 0.82). Words are asked before any number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from memory.write.contradiction import contradiction_of, may_be_updated, same_slot
from memory.write.likeness import NOVEL_COSINE, near_identical, same_statement, slightly_apart
from memory.write.otherwise import otherwise_now
from memory.write.slots import Understood, understood
from memory.write.statements.slot import Contradiction

_YEAR = re.compile(r"\b(?:in|since|on|of)(?: [A-Z][a-z]+)?(?: \d{1,2},?)? ((?:19|20)\d\d)\b")
_ORDER = ("text", "simhash", "cosine", "slot", "restatement")
Read: TypeAlias = Callable[[str], Understood]


@dataclass(frozen=True)
class Neighbour:
    """A memory of the same user and space that may say the same or the contrary.

    `replaced`: it was superseded by a later one, and is here in case that it holds again.
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

    @property
    def kept_by_hand(self) -> bool:
        return self.pinned or self.manually_saved


@dataclass(frozen=True)
class Decision:
    """`of`: the canonical memory of a repeat, those replaced, or those to ask about, oldest first.

    `why` is one machine word for the audit: "text", "simhash", "cosine", "restatement",
    "slot" (the same said of the same), "revived", "slot:home", "negation", "opposite", "time",
    "number", "preference", "change".
    """

    kind: Literal["new", "repeat", "replace", "ask"]
    of: tuple[UUID, ...] = ()
    why: str = ""


def decide(
    content: str, simhash: int, neighbours: Sequence[Neighbour], read: Read = understood
) -> Decision:
    """What becomes of a new memory, whatever the order of its neighbours.

    A living memory that says the same makes it a repeat. One that it contradicts is replaced
    where the two cannot both hold, and asked about where they may, where the older one is pinned,
    whatever was said, or where it was saved by hand and no change was said. A replaced memory that
    holds again is revived, provided that a living one contradicts it. `read` is `understood`, or
    what answers the same quicker.
    """
    new = _New(content, simhash, read(content), read)
    living = [_compared(new, each) for each in neighbours if not each.replaced]
    if repeat := _repeat(living):
        return repeat
    clashes = _in_order([each for each in living if each.clash])
    sure = [each for each in clashes if _may_replace(content, each)]
    if not clashes:
        return Decision("new")
    if not sure:
        return _about("ask", clashes)
    if again := _repeat([_compared(new, each) for each in neighbours if each.replaced]):
        return Decision("repeat", again.of, "revived")
    return _about("replace", sure)


@dataclass(frozen=True)
class _New:
    content: str
    simhash: int
    understood: Understood
    read: Read


@dataclass(frozen=True)
class _Compared:
    """A neighbour with what makes it the same as the new memory, or contrary to it."""

    neighbour: Neighbour
    likeness: str | None
    clash: Contradiction | None


def _compared(new: _New, other: Neighbour) -> _Compared:
    if new.content == other.content:
        return _Compared(other, "text", None)
    old = new.read(other.content)
    clash = contradiction_of(new.understood, old)
    likeness = None if clash else _likeness(new, other, old)
    near = other.cosine is not None and other.cosine >= NOVEL_COSINE
    if not clash and not likeness and near and may_be_updated(new.understood, old):
        clash = Contradiction("change", sure=False, outright=True)
    unsure = not likeness and not (clash and clash.sure)
    if unsure and otherwise_now(new.understood, old, other.cosine):
        clash = Contradiction("change", sure=True, outright=True)
    return _Compared(other, likeness, clash)


def _likeness(new: _New, other: Neighbour, old: Understood) -> str | None:
    near = near_identical(
        new.content,
        other.content,
        simhash=new.simhash,
        other_simhash=other.simhash,
        cosine=other.cosine,
    )
    ours, theirs = new.understood.statement, old.statement
    if near and slightly_apart(ours, theirs):
        return near
    if same_slot(new.understood, old):
        return "slot"
    near_enough = other.cosine is not None and other.cosine >= NOVEL_COSINE
    same = same_statement(ours, theirs)
    both_ways = same and other.cosine is None and same_statement(theirs, ours)
    return "restatement" if both_ways or (same and near_enough) else None


def _repeat(candidates: Sequence[_Compared]) -> Decision | None:
    """The candidate that is most alike; among equals one kept by hand, then the oldest."""
    found = [
        (_ORDER.index(each.likeness), not each.neighbour.kept_by_hand, each)
        for each in _in_order(candidates)
        if each.likeness
    ]
    if not found:
        return None
    *_, best = min(found, key=lambda each: each[:2])
    return Decision("repeat", (best.neighbour.id,), best.likeness or "")


def _may_replace(content: str, older: _Compared) -> bool:
    """A change that lies before the older memory was told, by its year, is doubtful."""
    clash, told = older.clash, older.neighbour
    if clash is None:
        return False
    years = [int(year) for year in _YEAR.findall(content)]
    if years and max(years) < told.created_at.year and clash.why.startswith("slot:"):
        return False
    return clash.sure and not told.pinned and (clash.outright or not told.manually_saved)


def _about(kind: Literal["replace", "ask"], older: Sequence[_Compared]) -> Decision:
    why = older[0].clash.why if older[0].clash else ""
    return Decision(kind, tuple(each.neighbour.id for each in older), why)


def _in_order(compared: Sequence[_Compared]) -> list[_Compared]:
    return sorted(compared, key=lambda each: _age(each.neighbour))


def _age(neighbour: Neighbour) -> tuple[datetime, str, str]:
    return neighbour.created_at, str(neighbour.id), neighbour.content
