"""The words of the domain as types: what is asked, what comes back, what is kept.

`MemoryQueryRequest`, `MemoryQueryResponse` and `MemoryItem` are the service
interface of specification 001; the response's last three fields are the flags
by which a recall that failed closed can be told from one that found nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
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
Cut = Literal["score", "order", "person", "time", "question", "similar", "limit", "budget"]
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
    space: str = DEFAULT_SPACE
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
    """What a recall is asked. `min_score` is a probability; `explain` asks for what was left out
    as well."""

    model_config = ConfigDict(extra="forbid")

    user_id: UserId
    query: str
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    space: Annotated[str, Name, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    types: list[ItemType] | None = None
    banks: list[str] | None = None
    roles: list[Role] | None = None
    min_score: Share = 0.3
    explain: bool = False


class ScoreParts(Frozen):
    """What a memory was ranked by; `total` is the weighted sum of the first three, times `usage`
    and `quality`."""

    relevance: Share
    recency: Share
    importance: Share
    usage: float = 1.0
    quality: float = 1.0
    total: float


class Why(Frozen):
    """How a memory was found. A rank is its place in that leg, from 1, None where the leg did not
    find it; `notes` say in words what else spoke for it ("about Maria", "of last week")."""

    scores: ScoreParts
    keyword_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None
    bm25: float | None = None
    coverage: float | None = None
    notes: tuple[str, ...] = ()


class LeftOut(Frozen):
    """A candidate that was not returned, and which step of the recall left it out."""

    id: str
    content: str
    relevance: Share
    why: Cut


class MemoryItem(Frozen):
    """A recalled memory. `relevance_score` is the probability that it helps with the query;
    `superseded` says that it is what was true before."""

    id: str
    content: str
    type: ItemType
    relevance_score: Share
    source: str | None
    created_at: datetime
    importance: float
    bank: str = DEFAULT_BANK
    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    superseded: bool = False
    why: Why | None = None


class MemoryQueryResponse(Frozen):
    """What a recall found, best first.

    `total_count` is the number that passed `min_score` before limit and budget;
    times are whole milliseconds; `token_count` is in cl100k tokens and never above
    the budget. `error` is set when neither leg answered (then `items` is empty),
    `degraded` names the legs that did not, `rate_limited` says that the user asked
    more often than the limit, `off` that memory is off or the conversation incognito. `left_out` is
    told where the request asked to explain.
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
    left_out: tuple[LeftOut, ...] = ()


class MessageQueryRequest(BaseModel):
    """What a recall over past messages is asked. `roles` are the speakers that are searched, both
    by default; `not_conversation` is left out; `min_score` is a probability."""

    model_config = ConfigDict(extra="forbid")

    user_id: UserId
    query: str
    limit: Annotated[int, Field(ge=1, le=100)] = 5
    space: Annotated[str, Name, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    roles: list[Role] | None = None
    not_conversation: UUID | None = None
    min_score: Share = 0.3
    explain: bool = False


class RecalledMessage(Frozen):
    """A message that was found. Where it is short, `before` and `after` are the beginnings of the
    messages beside it, each behind who said it ("user: …"). `relevance_score` is the probability
    that it helps with the query."""

    id: str
    conversation_id: str
    role: Role
    content: str
    created_at: datetime
    relevance_score: Share
    before: str | None = None
    after: str | None = None


class MessageQueryResponse(Frozen):
    """What a recall over past messages found, best first; the rest is as in
    `MemoryQueryResponse`."""

    items: list[RecalledMessage] = []
    total_count: int = 0
    query_embedding_ms: int = 0
    retrieval_ms: int = 0
    token_count: int = 0
    truncated: bool = False
    error: bool = False
    degraded: tuple[Leg, ...] = ()
    rate_limited: bool = False
    off: bool = False
    left_out: tuple[LeftOut, ...] = ()
