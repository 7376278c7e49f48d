"""What an extraction is given and what it gives back, whether by rules or by a model."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Protocol
from uuid import UUID

from pydantic import Field

from memory.models import DEFAULT_BANK, MAX_ITEM_CHARS, Frozen, ItemType, Name, Role, Share

Category = Literal[
    "identity",
    "preference",
    "goal",
    "relationship",
    "possession",
    "habit",
    "decision",
    "constraint",
    "procedure",
    "definition",
    "event",
]


class Said(Frozen):
    """One message as the write path sees it: what was said, by whom and when.

    `said_at` carries the offset of the person's clock, against which “last Friday” is read.
    """

    text: str
    said_at: datetime
    role: Role = "user"
    message_id: UUID | None = None


class Candidate(Frozen):
    """One thing worth keeping, as a sentence that can be understood alone.

    `occurred_at` is when it happened or will happen, where the words say so.
    """

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType
    category: Category
    bank: Annotated[str, Name, Field(max_length=50)] = DEFAULT_BANK
    importance: Share = 0.5
    occurred_at: datetime | None = None


class Extractor(Protocol):
    """Finds what is worth keeping in a message; an empty list where there is nothing."""

    async def extract(self, said: Said) -> list[Candidate]: ...
