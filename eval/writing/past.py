"""What a turn of the writing set left in the store, and what the turns before it had left.

A turn's own memories are those that live after it and did not before: what it stored,
and what it brought back. A memory that was stored and is already replaced or trimmed
counts as stored too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from eval.writing.turns import Keep, Turn
from memory.models import KeptItem

Store: TypeAlias = Mapping[UUID, KeptItem]


@dataclass(frozen=True)
class Learned:
    """A turn with the user's memories before and after it, dead ones too. `asked_about` are the
    memories that the user was asked about because of it; `error` names what kept it from being
    learned."""

    turn: Turn
    before: Store
    after: Store
    asked_about: frozenset[UUID] = frozenset()
    latency_ms: float | None = None
    error: str | None = None


@dataclass
class Past:
    """What earlier turns of the thread left: the memories that hold what a turn wanted kept, and
    the turn that each memory came from."""

    turns: dict[str, Turn] = field(default_factory=dict)
    holders: dict[str, set[UUID]] = field(default_factory=dict)
    origins: dict[UUID, str] = field(default_factory=dict)

    def keeps_of(self, name: str | None) -> tuple[Keep, ...]:
        return self.turns[name].keep if name is not None else ()

    def living(self, name: str | None, store: Store) -> set[UUID]:
        """The memories that hold what the turn said and live in the store."""
        return self.holders.get(name or "", set()) & living(store)

    def of_turn(self, name: str | None, item_id: UUID) -> bool:
        """Whether the memory came from the turn, or from one that said the same."""
        origin = self.origins.get(item_id)
        return name is not None and origin in {name, *self._repeats(name)}

    def note(self, learned: Learned) -> None:
        turn = learned.turn
        self.turns[turn.id] = turn
        of = turn.repeats or turn.id
        gained = gained_by(learned)
        keeps = self.keeps_of(of)
        held = {each for each in gained if meets_any(keeps, learned.after[each])}
        self.holders.setdefault(of, set()).update(held)
        for item_id in stored_by(learned):
            self.origins[item_id] = turn.id

    def _repeats(self, name: str) -> set[str]:
        return {turn.id for turn in self.turns.values() if turn.repeats == name}


def living(store: Store) -> set[UUID]:
    return {
        item_id
        for item_id, item in store.items()
        if item.superseded_by is None and item.deleted_at is None
    }


def stored_by(learned: Learned) -> set[UUID]:
    """What the turn put into the store, whether it still lives or not, or brought back."""
    return (set(learned.after) - set(learned.before)) | gained_by(learned)


def gained_by(learned: Learned) -> set[UUID]:
    return living(learned.after) - living(learned.before)


def meets_any(keeps: Iterable[Keep], item: KeptItem) -> bool:
    return any(keep.is_met_by(item.content) for keep in keeps)
