"""The words of the domain as types: what is asked, what comes back, what is kept.

`MemoryQueryRequest`, `MemoryQueryResponse` and `MemoryItem` are the service
interface of specification 001; the response's last three fields are the flags
by which a recall that failed closed can be told from one that found nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, get_args
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

ItemType = Literal[
    "fact", "preference", "decision", "note", "procedure", "constraint", "definition"
]
RecallType = Literal["fact", "preference", "decision", "note"]
Role = Literal["user", "assistant", "system"]
MessageStatus = Literal["complete", "interrupted", "failed", "withheld"]
Leg = Literal["keyword", "vector"]
Actor = Literal["user", "assistant", "learning", "upkeep", "import"]
MemoryMode = Literal["full", "read_only", "off"]
Privacy = Literal["normal", "incognito", "incognito_read_only"]

ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
DEFAULT_SPACE = "default"
DEFAULT_BANK = "General"
BANKS = ("Personal", "Work", "General", "Relationships", "Health", "Interests", "Events")
MAX_ITEM_CHARS = 8192
MAX_MESSAGE_CHARS = 100_000
MAX_USER_ID_CHARS = 255


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
class Origin:
    """Who acts, and in which turn: what the audit log says of every write."""

    actor: Actor = "user"
    correlation_id: UUID | None = None


class NewItem(Frozen):
    """A memory before it is kept. `source_message_id` names a message of the same user;
    `despite_forgotten` says that the user wants it back although it was forgotten."""

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
    created_at: datetime
    updated_at: datetime


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


class MemoryQueryRequest(BaseModel):
    """What a recall is asked. `min_score` is a probability."""

    model_config = ConfigDict(extra="forbid")

    user_id: UserId
    query: str
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    space: Annotated[str, Name, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    types: list[ItemType] | None = None
    banks: list[str] | None = None
    roles: list[Role] | None = None
    min_score: Share = 0.3


class MemoryItem(Frozen):
    """A recalled memory. `relevance_score` is the probability that it helps with the query."""

    id: str
    content: str
    type: ItemType
    relevance_score: Share
    source: str | None
    created_at: datetime
    importance: float


class MemoryQueryResponse(Frozen):
    """What a recall found, best first.

    `total_count` is the number that passed `min_score` before limit and budget;
    times are whole milliseconds; `token_count` is in cl100k tokens and never above
    the budget. `error` is set when neither leg answered (then `items` is empty),
    `degraded` names the legs that did not, `rate_limited` says that the user asked
    more often than the limit, `off` that memory is off or the conversation incognito.
    """

    items: list[MemoryItem] = []
    total_count: int = 0
    query_embedding_ms: int = 0
    retrieval_ms: int = 0
    token_count: int = 0
    truncated: bool = False
    error: bool = False
    degraded: tuple[Leg, ...] = ()
    rate_limited: bool = False
    off: bool = False
