"""What a recall is asked, and what comes back.

`MemoryQueryRequest`, `MemoryQueryResponse` and `MemoryItem` are the service
interface of specification 001; the response's last fields are the flags by which
a recall that failed closed can be told from one that found nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from memory.models import DEFAULT_BANK, DEFAULT_SPACE, Frozen, ItemType, Name, Role, Share, UserId

RecallType = Literal["fact", "preference", "decision", "note"]
Leg = Literal["keyword", "vector"]
Cut = Literal["score", "order", "person", "time", "question", "similar", "limit", "budget"]
Recalled = TypeVar("Recalled")


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


class QueryResponse(Frozen, Generic[Recalled]):
    """What a recall found, best first.

    `total_count` is the number that passed `min_score` before limit and budget;
    times are whole milliseconds; `token_count` is in cl100k tokens and never above
    the budget. `error` is set when neither leg answered (then `items` is empty),
    `degraded` names the legs that did not, `rate_limited` says that the user asked
    more often than the limit, `off` that memory is off or the conversation incognito. `left_out` is
    told where the request asked to explain.
    """

    items: list[Recalled] = Field(default=[])
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


class MemoryQueryResponse(QueryResponse[MemoryItem]):
    """The memories that a recall found; see `QueryResponse`."""


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


class MessageQueryResponse(QueryResponse[RecalledMessage]):
    """The past messages that a recall found; see `QueryResponse`."""
