"""What is heard in a message: what was said, and what of it is worth keeping."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

from pydantic import Field, SkipValidation

from memory.models import DEFAULT_BANK, MAX_ITEM_CHARS, Frozen, HeardAs, ItemType, Name, Role, Share
from memory.understanding import Category, KnownMemory, Reading
from memory.understanding.relations import Relations

Told: TypeAlias = Mapping[KnownMemory, Relations]


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
    what passes is of no worth any more. `asked` says that the user asked for it to be kept. `told`
    is how it stands to memories that its reader was shown, and `heard` as what it was heard.
    """

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType
    category: Category
    bank: Annotated[str, Name, Field(max_length=50)] = DEFAULT_BANK
    importance: Share = 0.5
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    asked: bool = False
    told: SkipValidation[Told] = Field(default_factory=dict)
    heard: HeardAs | None = None
