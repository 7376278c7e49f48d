"""One memory with what is around it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import BaseModel

from app.rest.audited import Audited, audited
from app.rest.entry import Entry, entries_of
from memory.store.audit import AuditEntry
from memory.store.memories.details import Details


class Source(BaseModel):
    """The message it was learned from, while that is kept."""

    message_id: UUID
    conversation_id: UUID
    said_at: datetime
    text: str


class LastScores(BaseModel):
    """What it was ranked by the last time: total = relevance + recency + importance."""

    relevance: float
    recency: float
    importance: float
    total: float
    computed_at: datetime


class EntryDetails(Entry):
    """A memory with what it replaced, what replaced it, what was done with it, where it came from,
    and how often it was recalled."""

    older: list[Entry]
    replaced_by: Entry | None
    history: list[Audited]
    source: Source | None
    last_scores: LastScores | None
    access_count: int
    last_accessed_at: datetime | None

    @classmethod
    def of_all(cls, details: Details, history: Sequence[AuditEntry]) -> Self:
        source, scores = details.source, details.last_scores
        replaced_by = details.replaced_by
        return cls(
            **dict(Entry.of(details.item)),
            older=entries_of(details.older),
            replaced_by=None if replaced_by is None else Entry.of(replaced_by),
            history=audited(history),
            source=None if source is None else Source(**vars(source)),
            last_scores=None if scores is None else LastScores(**vars(scores)),
            access_count=details.access_count,
            last_accessed_at=details.last_accessed_at,
        )
