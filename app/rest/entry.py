"""A memory as REST tells of it, and how it is named by a tag that changes with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from fastapi import Path
from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from memory.models import HeardAs, ItemType, KeptItem, Role

EntryId = Annotated[UUID, Path(alias="id", description="The id of a memory.")]
_EXAMPLE: JsonDict = {
    "id": "6f1c2f0a-3a51-4bb1-9b1e-2c6d3a0f4a11",
    "text": "I own a red kayak",
    "type": "fact",
    "space": "default",
    "bank": "Interests",
    "role": "user",
    "tags": ["kayak"],
    "importance": 0.8,
    "pinned": False,
    "manually_saved": True,
    "created_at": "2026-05-01T09:30:00Z",
    "occurred_at": None,
    "source_message_id": None,
    "repeat_count": 0,
    "superseded_by": None,
    "trimmed_at": None,
    "heard": {"kind": "fact", "category": "possession", "lifetime": "long", "sure": 0.97},
}


class Entry(BaseModel):
    """One memory. `superseded_by` names the memory that took its place; `trimmed_at` says since
    when upkeep has had it out of recall: there were too many, a roll-up tells of it, or it was
    cleaned away or kept for long enough. `heard` is as what it was heard when it was kept, and how
    sure that was, 0 to 1; null where nothing read it."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    id: UUID
    text: str
    type: ItemType
    space: str
    bank: str
    role: Role
    tags: list[str]
    importance: float
    pinned: bool
    manually_saved: bool
    created_at: datetime
    occurred_at: datetime | None
    source_message_id: UUID | None
    repeat_count: int
    superseded_by: UUID | None
    trimmed_at: datetime | None
    heard: HeardAs | None = None

    @classmethod
    def of(cls, item: KeptItem) -> Self:
        told = dict(item)
        return cls(text=told.pop("content"), trimmed_at=told.pop("deleted_at"), **told)


def entries_of(items: Iterable[KeptItem]) -> list[Entry]:
    return [Entry.of(item) for item in items]
