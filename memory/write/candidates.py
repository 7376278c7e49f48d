"""What an extraction is given and what it gives back, whether by rules or by a model."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Protocol
from uuid import UUID

from pydantic import Field, SkipValidation

from memory.models import DEFAULT_BANK, MAX_ITEM_CHARS, Frozen, ItemType, Name, Role, Share
from memory.understanding import Category, Reading


class Said(Frozen):
    """One message as the write path sees it: what was said, by whom and when.

    `said_at` carries the offset of the person's clock, against which “last Friday” is read.
    `reading` is what it means, None where nothing has read it yet.
    """

    text: str
    said_at: datetime
    role: Role = "user"
    message_id: UUID | None = None
    reading: SkipValidation[Reading] | None = None


class Candidate(Frozen):
    """One thing worth keeping, as a sentence that can be understood alone.

    `occurred_at` is when it happened or will happen, where the words say so; `expires_at` is when
    what passes is of no worth any more. `asked` says that the user asked for it to be kept.
    """

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType
    category: Category
    bank: Annotated[str, Name, Field(max_length=50)] = DEFAULT_BANK
    importance: Share = 0.5
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    asked: bool = False


Worth = Literal["statement", "preference", "nothing"]


class Extractor(Protocol):
    """Finds what is worth keeping in a message; an empty list where there is nothing."""

    async def extract(self, said: Said) -> list[Candidate]: ...


class OfflineExtraction(Extractor, Protocol):
    """An extraction that needs no model, and says whether one should look at a message."""

    def worth(self, said: Said) -> Worth:
        """Nothing where nothing is told, and a preference where that is all, short and clear."""
        ...
