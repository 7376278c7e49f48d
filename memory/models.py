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

ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
DEFAULT_SPACE = "default"
DEFAULT_BANK = "General"
MAX_ITEM_CHARS = 8192
MAX_MESSAGE_CHARS = 100_000
MAX_USER_ID_CHARS = 255


def _printable(name: str) -> str:
    if not name.isprintable():
        raise ValueError("must be made of printable characters")
    return name


Name = AfterValidator(_printable)
UserId = Annotated[str, Field(min_length=1, max_length=MAX_USER_ID_CHARS), Name]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class EmbeddingModel:
    """A model by name and the length of its vectors; a database is made for one of them."""

    name: str
    dimensions: int


class NewItem(Frozen):
    """A memory before it is kept. `source_message_id` names a message of the same user."""

    content: Annotated[str, Field(min_length=1, max_length=MAX_ITEM_CHARS)]
    type: ItemType = "fact"
    space: Annotated[str, Name, Field(max_length=255)] = DEFAULT_SPACE
    bank: Annotated[str, Name, Field(max_length=50)] = DEFAULT_BANK
    tags: tuple[Annotated[str, Name, Field(max_length=100)], ...] = ()
    importance: Share = 0.5
    manually_saved: bool = False
    source_message_id: UUID | None = None
    occurred_at: datetime | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None


class KeptItem(Frozen):
    """A memory as it is stored, without its vector."""

    id: UUID
    content: str
    type: ItemType
    bank: str
    importance: float
    pinned: bool
    manually_saved: bool
    created_at: datetime
    source_message_id: UUID | None
    repeat_count: int


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
    types: list[ItemType] | None = None
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
    more often than the limit.
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
