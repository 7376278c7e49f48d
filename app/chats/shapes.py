"""What an answer rests on, as the front doors tell of it."""

from __future__ import annotations

from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import BaseModel

from agent.explanation import reason_for
from memory.models import ItemType, Role
from memory.recalls import Cut, LeftOut, MemoryItem, RecalledMessage


class Scores(BaseModel):
    """What a memory was ranked by, from 0 to 1; `total` is their weighted sum, times `usage` and
    `quality`."""

    relevance: float
    recency: float
    importance: float
    usage: float = 1.0
    quality: float = 1.0
    total: float


class WhyUsed(BaseModel):
    """How a memory was found. A rank is its place in the search by words or by meaning, from 1;
    `notes` say in words what else spoke for it. What was not measured, or not kept, is null."""

    scores: Scores
    keyword_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None
    bm25: float | None = None
    coverage: float | None = None
    notes: list[str] = []


class Used(BaseModel):
    """A memory that an answer rests on. `relevance` is the probability that it helps; `source`
    names the message it came from; `superseded` says that it is what was true before. Where it was
    forgotten since, `gone` is true and nothing but the id is left."""

    id: UUID
    text: str | None
    type: ItemType | None
    bank: str | None
    relevance: float
    created_at: datetime | None
    source: str | None
    superseded: bool
    gone: bool = False
    why: WhyUsed | None

    @classmethod
    def of(cls, item: MemoryItem) -> Self:
        return cls(
            id=UUID(item.id),
            text=item.content,
            type=item.type,
            bank=item.bank,
            relevance=item.relevance_score,
            created_at=item.created_at,
            source=item.source,
            superseded=item.superseded,
            why=None if item.why is None else WhyUsed.model_validate(item.why.model_dump()),
        )


class Quoted(BaseModel):
    """A past message that an answer rests on."""

    id: UUID
    conversation_id: UUID
    role: Role
    text: str
    created_at: datetime
    relevance: float

    @classmethod
    def of(cls, item: RecalledMessage) -> Self:
        return cls(
            id=UUID(item.id),
            conversation_id=UUID(item.conversation_id),
            role=item.role,
            text=item.content,
            created_at=item.created_at,
            relevance=item.relevance_score,
        )


class NotUsed(BaseModel):
    """A memory that was found and not used: `reason` in one word, `said` in plain ones. `text` is
    empty where it gives orders."""

    id: UUID
    text: str
    relevance: float
    reason: Cut
    said: str

    @classmethod
    def of(cls, item: LeftOut, min_relevance: float) -> Self:
        return cls(
            id=UUID(item.id),
            text=item.content,
            relevance=item.relevance,
            reason=item.why,
            said=reason_for(item.why, min_relevance),
        )
