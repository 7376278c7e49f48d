"""What the last answer of a conversation rests on: ids and figures, never the words of a memory,
so that what is forgotten is not kept here. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.models import Role
from memory.recalls import Cut, MemoryItem, MemoryQueryResponse, RecalledMessage, Why


@dataclass(frozen=True)
class Rested:
    """A memory that the answer could rest on."""

    id: UUID
    relevance: float
    why: Why | None


@dataclass(frozen=True)
class Unused:
    """A memory that a recall looked at and left out."""

    id: UUID
    relevance: float
    cut: Cut


@dataclass(frozen=True)
class Quoted:
    """A past message that the answer could rest on."""

    role: Role
    said_at: datetime
    relevance: float


@dataclass(frozen=True)
class Answered:
    """`unused` has the most relevant first; `looked` says whether memory was asked at all, and
    `min_relevance` what a memory had to reach."""

    min_relevance: float
    looked: bool = True
    rested: tuple[Rested, ...] = ()
    unused: tuple[Unused, ...] = ()
    quoted: tuple[Quoted, ...] = ()

    @property
    def ids(self) -> tuple[UUID, ...]:
        """In the order in which they are numbered, from 1: what was used, then what was not."""
        return (*(each.id for each in self.rested), *(each.id for each in self.unused))


def answered_from(
    recalled: Iterable[MemoryItem],
    recalls: Sequence[MemoryQueryResponse],
    messages: Iterable[RecalledMessage],
    min_relevance: float,
) -> Answered:
    """Of a turn: what its recalls brought in, and what all of them left out, each once."""
    rested = tuple(Rested(UUID(each.id), each.relevance_score, each.why) for each in recalled)
    return Answered(
        min_relevance,
        bool(recalls),
        rested,
        _unused(recalls, {each.id for each in rested}),
        tuple(Quoted(each.role, each.created_at, each.relevance_score) for each in messages),
    )


def _unused(recalls: Sequence[MemoryQueryResponse], used: set[UUID]) -> tuple[Unused, ...]:
    best: dict[UUID, Unused] = {}
    for told in (each for response in recalls for each in response.left_out):
        found = Unused(UUID(told.id), told.relevance, told.why)
        known = best.get(found.id)
        if found.id not in used and (known is None or known.relevance < found.relevance):
            best[found.id] = found
    return tuple(sorted(best.values(), key=lambda each: -each.relevance))
