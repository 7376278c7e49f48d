"""The words of the domain as types: what is kept of a user, and who keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal, Self, get_args
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from memory.understanding import reading

ItemType = Literal[
    "fact", "preference", "decision", "note", "procedure", "constraint", "definition"
]
Role = reading.Role
MessageStatus = Literal["complete", "interrupted", "failed", "withheld"]
Actor = Literal["user", "assistant", "learning", "upkeep", "import"]
MemoryMode = Literal["full", "read_only", "off"]
Notices = Literal["all", "changes", "none"]
Privacy = Literal["normal", "incognito", "incognito_read_only"]

ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
DEFAULT_SPACE = "default"
DEFAULT_BANK = "General"
BANKS = reading.BANKS
MAX_ITEM_CHARS = 8192
MAX_MESSAGE_CHARS = 100_000
MAX_USER_ID_CHARS = 255
# A moment outside of these is a slip, and what is reckoned from it may not be one at all.
EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)


def _printable(name: str) -> str:
    if not name.isprintable():
        raise ValueError("must be made of printable characters")
    return name


Name = AfterValidator(_printable)
UserId = Annotated[str, Field(min_length=1, max_length=MAX_USER_ID_CHARS), Name]
BankName = Annotated[str, Name, Field(min_length=1, max_length=50)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class EmbeddingModel:
    """A model by name and the length of its vectors; a database is made for one of them."""

    name: str
    dimensions: int


@dataclass(frozen=True)
class EmbeddingProfile:
    """The model that a database was made for, and the one whose vectors are being made to follow
    it, if any."""

    current: EmbeddingModel
    following: EmbeddingModel | None = None


@dataclass(frozen=True)
class Origin:
    """Who acts, and in which turn: what the audit log says of every write."""

    actor: Actor = "user"
    correlation_id: UUID | None = None


class HeardAs(Frozen):
    """As what a memory was heard when it was kept, and how `sure` it was that it is told."""

    kind: reading.Kind
    category: reading.Category
    lifetime: reading.Lifetime
    sure: Share

    @classmethod
    def of(cls, segment: reading.Segment) -> Self:
        sure = min(round(segment.told, 3), 1.0)
        return cls(
            kind=segment.kind,
            category=segment.category,
            lifetime=segment.lifetime,
            sure=sure,
        )


def _read(stored: object) -> object:
    return json.loads(stored) if isinstance(stored, str) else stored


class NewItem(Frozen):
    """A memory before it is kept. `source_message_id` names a message of the same user;
    `despite_forgotten` says that the user wants it back although it was forgotten; `heard` is None
    where nothing read it."""

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType = "fact"
    space: Annotated[str, Name, Field(max_length=255)] = DEFAULT_SPACE
    bank: BankName = DEFAULT_BANK
    tags: tuple[Annotated[str, Name, Field(max_length=100)], ...] = ()
    role: Role = "user"
    source_ids: tuple[Annotated[str, Name, Field(max_length=255)], ...] = ()
    importance: Share = 0.5
    pinned: bool = False
    manually_saved: bool = False
    source_message_id: UUID | None = None
    occurred_at: datetime | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    despite_forgotten: bool = False
    heard: HeardAs | None = None


class KeptItem(Frozen):
    """A memory as it is stored, without its vector."""

    id: UUID
    content: str
    type: ItemType
    space: str
    bank: str
    role: Role
    tags: tuple[str, ...]
    importance: float
    pinned: bool
    manually_saved: bool
    created_at: datetime
    occurred_at: datetime | None
    source_message_id: UUID | None
    repeat_count: int
    superseded_by: UUID | None
    deleted_at: datetime | None
    heard: Annotated[HeardAs | None, BeforeValidator(_read)] = None


@dataclass(frozen=True)
class Outcome:
    """What became of a memory that was to be kept.

    `kept` stored it; `repeated` counted it on the `item` that was there; `replaced` stored it and
    took the `older` ones out of recall; `doubtful` stored it beside the `older` ones, and the user
    is asked whether it replaces them (`doubt_ids`, one for each). `held` is how many memories the
    space has then, None where they were not counted.
    """

    kind: Literal["kept", "repeated", "replaced", "doubtful"]
    item: KeptItem
    older: tuple[KeptItem, ...] = ()
    doubt_ids: tuple[UUID, ...] = ()
    held: int | None = None


class Conversation(Frozen):
    id: UUID
    title: str | None
    space: str = DEFAULT_SPACE
    created_at: datetime
    updated_at: datetime
    privacy: Privacy = "normal"


class Message(Frozen):
    """One side of a turn. `position` grows with every message of the database, so it orders."""

    id: UUID
    conversation_id: UUID
    role: Role
    content: str
    status: MessageStatus
    correlation_id: UUID
    position: int
    created_at: datetime
