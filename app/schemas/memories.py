"""Memories as REST tells of them, with what was done with them, and what a client sends to list,
keep or correct them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.fields import (
    BankName,
    Flag,
    Importance,
    MemoryText,
    PageSize,
    SearchText,
    SpaceFilter,
    SpaceName,
    TagName,
    TagNames,
    Timestamp,
)
from app.schemas.pagination import CursorParam, decode_place
from memory.actions.entries import MemoryChanges, require_bank
from memory.actions.presentation import audit_sentence
from memory.config import Settings
from memory.errors import InvalidInput
from memory.ingestion.classification import bank_for_search
from memory.ingestion.normalisation import clean_message
from memory.store.audit import AuditEntry
from memory.store.memories import MemoryFilter
from memory.store.memory_entries import MemoryDetails
from memory.types import Actor, MemoryType, NewMemory, Role, StoredMemory

EntryId = Annotated[UUID, Path(alias="id", description="The id of a memory.")]
_ENTRY_EXAMPLE: JsonDict = {
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
}


class MemoryEntry(BaseModel):
    """One memory. `superseded_by` names the memory that took its place; `trimmed_at` says since
    when upkeep has had it out of recall: there were too many, a roll-up tells of it, or it was
    cleaned away or kept for long enough."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ENTRY_EXAMPLE]})

    id: UUID
    text: str
    type: MemoryType
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

    @classmethod
    def of(cls, item: StoredMemory) -> Self:
        told = dict(item)
        return cls(text=told.pop("content"), trimmed_at=told.pop("deleted_at"), **told)


def to_entries(items: Iterable[StoredMemory]) -> list[MemoryEntry]:
    return [MemoryEntry.of(item) for item in items]


class AuditLogEntry(BaseModel):
    """One entry of the audit log: never words of a memory, but `said` tells of it in a sentence.
    `correlation_id` names the request or the turn it was done in."""

    id: int
    action: str
    actor: Actor
    item_id: UUID | None
    correlation_id: UUID | None
    detail: dict[str, Any]
    said: str
    created_at: datetime

    @classmethod
    def of(cls, entry: AuditEntry) -> Self:
        return cls(
            id=entry.id,
            action=entry.action,
            actor=entry.actor,
            item_id=entry.item_id,
            correlation_id=entry.correlation_id,
            detail=dict(entry.detail),
            said=audit_sentence(entry),
            created_at=entry.created_at,
        )


def to_audit_log_entries(entries: Iterable[AuditEntry]) -> list[AuditLogEntry]:
    return [AuditLogEntry.of(entry) for entry in entries]


class MemorySource(BaseModel):
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


class EntryDetails(MemoryEntry):
    """A memory with what it replaced, what replaced it, what was done with it, where it came from,
    and how often it was recalled."""

    older: list[MemoryEntry]
    replaced_by: MemoryEntry | None
    history: list[AuditLogEntry]
    source: MemorySource | None
    last_scores: LastScores | None
    access_count: int
    last_accessed_at: datetime | None

    @classmethod
    def of_all(cls, details: MemoryDetails, history: Sequence[AuditEntry]) -> Self:
        source, scores = details.source, details.last_scores
        replaced_by = details.replaced_by
        return cls(
            **dict(MemoryEntry.of(details.item)),
            older=to_entries(details.older),
            replaced_by=None if replaced_by is None else MemoryEntry.of(replaced_by),
            history=to_audit_log_entries(history),
            source=None if source is None else MemorySource(**vars(source)),
            last_scores=None if scores is None else LastScores(**vars(scores)),
            access_count=details.access_count,
            last_accessed_at=details.last_accessed_at,
        )


class EntryQuery(BaseModel):
    """Filters that all have to hold; none asks for every memory in recall."""

    model_config = ConfigDict(extra="forbid")

    space: SpaceFilter = None
    pinned: Annotated[bool | None, Field(description="Only pinned ones, or only others.")] = None
    manually_saved: Annotated[
        bool | None, Field(description="Only what its user asked to keep, or only the rest.")
    ] = None
    type: Annotated[MemoryType | None, Field(description="Only memories of this type.")] = None
    bank: Annotated[BankName | None, Field(description="Only memories of this bank.")] = None
    role: Annotated[
        Role | None, Field(description="Only what was learned from what this side said.")
    ] = None
    tag: Annotated[TagName | None, Field(description="Only memories with this tag.")] = None
    text: Annotated[
        SearchText | None,
        Field(description="Words as a search engine takes them, or a part of it."),
    ] = None
    since: Annotated[Timestamp | None, Field(description="Learned then or later.")] = None
    until: Annotated[Timestamp | None, Field(description="Learned before then.")] = None
    include_replaced: Annotated[
        bool, Field(description="Also what another memory took the place of.")
    ] = False
    include_trimmed: Annotated[
        bool, Field(description="Also what upkeep took out of recall, and what has expired.")
    ] = False
    cursor: CursorParam = None
    limit: PageSize = 50

    def as_filter(self, settings: Settings) -> MemoryFilter:
        """Raises InvalidInput for a cursor that was not made here."""
        given = self.model_dump(exclude={"space", "bank", "cursor"})
        bank = self.bank and bank_for_search(self.bank, settings.memory_banks)
        after = None if self.cursor is None else decode_place(self.cursor)
        space = self.space or settings.keepsake_space
        return MemoryFilter(**given, space=space, bank=bank, after=after)


class NewEntry(BaseModel):
    """A memory to keep. What is left out is found out: the type and the bank by the words, and when
    it happened by the dates in them."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "I own a red kayak", "tags": ["boat"]}]},
    )

    text: MemoryText
    space: SpaceName | None = None
    tags: TagNames = []
    manually_saved: Annotated[
        Flag, Field(description="Asked for by the user: more important, and never trimmed.")
    ] = True
    type: MemoryType | None = None
    bank: BankName | None = None
    importance: Importance | None = None
    pinned: Flag = False
    occurred_at: Annotated[Timestamp | None, Field(examples=["2026-05-01T09:30:00+02:00"])] = None
    expires_at: Annotated[
        Timestamp | None,
        Field(description="Out of every recall then.", examples=["2999-01-01T00:00:00Z"]),
    ] = None
    despite_forgotten: Annotated[
        Flag, Field(description="Keep it although it was forgotten a short time ago.")
    ] = False

    def as_item(self, settings: Settings, now: datetime) -> NewMemory:
        """Raises MessageRefused where there is nothing to read, and InvalidInput for a bank that
        is not one of the settings' or an `expires_at` that has passed."""
        if self.expires_at is not None and self.expires_at <= now:
            raise InvalidInput(reason="expires_at has passed already, so nothing would be kept.")
        text = clean_message(self.text)
        names = ("tags", "manually_saved", "pinned", "despite_forgotten")
        given = {name: getattr(self, name) for name in names}
        for name in ("type", "importance", "occurred_at", "expires_at"):
            if (value := getattr(self, name)) is not None:
                given[name] = value
        if self.bank is not None:
            given["bank"] = require_bank(self.bank, settings.memory_banks)
        space = self.space or settings.keepsake_space
        return NewMemory(content=text, space=space, **given)


class Correction(BaseModel):
    """What is to be different; what is left out or null stays, but an `occurred_at` of null goes.
    With a new text the old one is kept as a replaced memory."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "I own a blue kayak"}]}
    )

    text: MemoryText | None = None
    type: MemoryType | None = None
    bank: BankName | None = None
    tags: TagNames | None = None
    importance: Importance | None = None
    occurred_at: Timestamp | None = None

    def as_changes(self) -> MemoryChanges:
        given = self.model_dump(exclude_unset=True)
        if "text" in given:
            given["content"] = given.pop("text")
        return MemoryChanges(**given)
