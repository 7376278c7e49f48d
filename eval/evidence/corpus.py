"""A conversation to be remembered, and questions whose evidence lies in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.models import ItemType, NewItem, Role


@dataclass(frozen=True)
class Piece:
    """Something to remember. `evidence` names what it holds, or what it rests on; `role` says whose
    message it is where it is kept as one."""

    text: str
    type: ItemType
    at: datetime
    evidence: frozenset[str]
    role: Role = "user"

    def as_new_item(self) -> NewItem:
        return NewItem(content=self.text, type=self.type, created_at=self.at)


@dataclass(frozen=True)
class Question:
    """`evidence` is empty where the conversation does not answer it."""

    id: str
    category: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Corpus:
    """One user's memories and the questions to them, asked at `now`."""

    name: str
    pieces: tuple[Piece, ...]
    questions: tuple[Question, ...]
    now: datetime
