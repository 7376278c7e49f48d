"""The words of the domain as types: memories, conversations, episodes, and what a recall is asked
and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Generic, Literal, TypeVar, get_args
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from memory.understanding import types

MemoryType = Literal[
    "fact", "preference", "decision", "note", "procedure", "constraint", "definition"
]
Role = types.Role
MessageStatus = Literal["complete", "interrupted", "failed", "withheld"]
Actor = Literal["user", "assistant", "learning", "upkeep", "import"]
MemoryMode = Literal["full", "read_only", "off"]
Privacy = Literal["normal", "incognito", "incognito_read_only"]

MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
DEFAULT_SPACE = "default"
DEFAULT_BANK = "General"
BANKS = types.BANKS
MAX_MEMORY_CHARS = 8192
MAX_MESSAGE_CHARS = 100_000
MAX_USER_ID_CHARS = 255
# A moment outside of these is a slip, and what is reckoned from it may not be one at all.
EARLIEST_TIME = datetime(1000, 1, 1, tzinfo=UTC)
LATEST_TIME = datetime(3000, 1, 1, tzinfo=UTC)


def _printable(name: str) -> str:
    if not name.isprintable():
        raise ValueError("must be made of printable characters")
    return name


PrintableName = AfterValidator(_printable)
# Acts in place of a user where there is none yet, or where the worker looks at all of them.
NO_USER = "-"


def refuse_no_user(name: str) -> str:
    """Raises ValueError."""
    if name == NO_USER:
        raise ValueError("must not be “-”, which stands for nobody")
    return name


UserId = Annotated[
    str,
    Field(min_length=1, max_length=MAX_USER_ID_CHARS),
    PrintableName,
    AfterValidator(refuse_no_user),
]
BankName = Annotated[str, PrintableName, Field(min_length=1, max_length=50)]
UnitInterval = Annotated[float, Field(ge=0.0, le=1.0)]


class FrozenModel(BaseModel):
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


@dataclass(frozen=True)
class ErasedUser:
    """How many rows went, by table. Where the caches could not be reached, what they hold of the
    user runs out by itself within 7 days."""

    rows: Mapping[str, int]
    caches_cleared: bool


class SpaceSettings(FrozenModel):
    """What a user set for a space: `full` reads and writes, `read_only` recalls alone, `off` does
    neither.

    `incognito_default` begins every conversation incognito; `redact_messages` keeps secrets out
    of stored messages.
    """

    memory_mode: MemoryMode = "full"
    incognito_default: bool = False
    redact_messages: bool = True


class NewMemory(FrozenModel):
    """A memory before it is kept. `source_message_id` names a message of the same user;
    `despite_forgotten` says that the user wants it back although it was forgotten, `is_no_secret`
    that what is guessed to be a secret in it is none."""

    content: Annotated[str, Field(min_length=1, max_length=MAX_MEMORY_CHARS)]
    type: MemoryType = "fact"
    space: Annotated[str, PrintableName, Field(max_length=255)] = DEFAULT_SPACE
    bank: BankName = DEFAULT_BANK
    tags: tuple[Annotated[str, PrintableName, Field(max_length=100)], ...] = ()
    role: Role = "user"
    source_ids: tuple[Annotated[str, PrintableName, Field(max_length=255)], ...] = ()
    importance: UnitInterval = 0.5
    pinned: bool = False
    manually_saved: bool = False
    source_message_id: UUID | None = None
    occurred_at: datetime | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    despite_forgotten: bool = False
    is_no_secret: bool = False


class StoredMemory(FrozenModel):
    """A memory as it is stored, without its vector."""

    id: UUID
    content: str
    type: MemoryType
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
class SaveOutcome:
    """What became of a memory that was to be kept.

    `kept` stored it; `repeated` counted it on the `item` that was there; `replaced` stored it and
    took the `older` ones out of recall; `doubtful` stored it beside the `older` ones, and the user
    is asked whether it replaces them (`doubt_ids`, one for each). `held` is how many memories the
    space has then, None where they were not counted.
    """

    kind: Literal["kept", "repeated", "replaced", "doubtful"]
    item: StoredMemory
    older: tuple[StoredMemory, ...] = ()
    doubt_ids: tuple[UUID, ...] = ()
    held: int | None = None


class StoredConversation(FrozenModel):
    id: UUID
    title: str | None
    space: str = DEFAULT_SPACE
    created_at: datetime
    updated_at: datetime
    privacy: Privacy = "normal"


class StoredMessage(FrozenModel):
    """One side of a turn. `position` grows with every message of the database, so it orders."""

    id: UUID
    conversation_id: UUID
    role: Role
    content: str
    status: MessageStatus
    correlation_id: UUID
    position: int
    created_at: datetime


# Episodes (004, 2.1 and 2.2).
MAX_ACTIONS = 200
# All actions of an episode together, as they are stored.
MAX_ACTION_BYTES = 200_000
MAX_LINES = 20
MAX_TASK_CHARS = 1000
MAX_ACTION_TYPE_CHARS = 100
MAX_LINE_CHARS = 500
MAX_ACTION_CHARS = 2000
EPISODE_MIDPOINT = 0.65
# With the specification's midpoint every outcome is worth more, the least 0.35: what goes then goes
# by the cap.
MIN_EPISODE_VALUE = 0.18

EpisodeTask = Annotated[str, Field(min_length=1, max_length=MAX_TASK_CHARS)]
EpisodeLine = Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
EpisodeLines = Annotated[tuple[EpisodeLine, ...], Field(max_length=MAX_LINES)]


class NewEpisode(FrozenModel):
    """A task that is begun, with the steps that are planned for it."""

    task: EpisodeTask
    plan: EpisodeLines = ()
    space: Annotated[str, PrintableName, Field(min_length=1, max_length=255)] = DEFAULT_SPACE


class NewEpisodeAction(FrozenModel):
    """One thing that was done, with what, and what came of it."""

    type: Annotated[str, PrintableName, Field(min_length=1, max_length=MAX_ACTION_TYPE_CHARS)]
    input: Annotated[str, Field(max_length=MAX_ACTION_CHARS)] = ""
    result: Annotated[str, Field(max_length=MAX_ACTION_CHARS)] = ""
    succeeded: bool = True


class EpisodeAction(FrozenModel):
    """As it is stored, where what stands for something that was taken out may be longer."""

    type: str
    input: str
    result: str
    succeeded: bool
    at: datetime


class EpisodeResult(FrozenModel):
    """How it went, from 0 (failed) to 1 (done as it should be), and what there was to learn."""

    outcome_score: UnitInterval
    lessons_learned: EpisodeLines = ()
    failure_modes: EpisodeLines = ()


class StoredEpisode(FrozenModel):
    """As it is stored, without its vector; `outcome_score` and `completed_at` are None while it
    goes on."""

    id: UUID
    task: str
    space: str
    plan: tuple[str, ...]
    actions: tuple[EpisodeAction, ...]
    outcome_score: float | None
    lessons_learned: tuple[str, ...]
    failure_modes: tuple[str, ...]
    created_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True)
class SimilarEpisode:
    """An episode that is like a task, by how much, from 0 to 1."""

    episode: StoredEpisode
    likeness: float


def episode_value(outcome_score: float, midpoint: float = EPISODE_MIDPOINT) -> float:
    """What there is to learn from an outcome, from 0 to 1: most where it was neither too easy nor
    too hard, max(0, 1 - |outcome - midpoint|) (004, 2.2)."""
    return max(0.0, 1.0 - abs(outcome_score - midpoint))


RecallType = Literal["fact", "preference", "decision", "note"]
SearchMethod = Literal["keyword", "vector"]
ExclusionReason = Literal[
    "score", "answer", "order", "person", "time", "question", "similar", "limit", "budget"
]
# What an answer is worth: "high" may be said as it is, "possible" with a doubt, and what is only
# "related" answers nothing.
Confidence = Literal["high", "possible", "related"]
Recalled = TypeVar("Recalled")


class MemoryQueryRequest(BaseModel):
    """What a recall is asked. `min_score` is a probability, `min_confidence` what an answer has to
    be worth; `explain` asks for what was left out as well."""

    model_config = ConfigDict(extra="forbid")

    user_id: UserId
    query: str
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    space: Annotated[str, PrintableName, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    types: list[MemoryType] | None = None
    banks: list[str] | None = None
    roles: list[Role] | None = None
    min_score: UnitInterval = 0.3
    min_confidence: Confidence = "related"
    explain: bool = False


class ScoreParts(FrozenModel):
    """What a memory was ranked by; `total` is the weighted sum of the first three, times `usage`
    and `quality`."""

    relevance: UnitInterval
    recency: UnitInterval
    importance: UnitInterval
    usage: float = 1.0
    quality: float = 1.0
    total: float


class Why(FrozenModel):
    """How a memory was found. A rank is its place in that leg, from 1, None where the leg did not
    find it; `notes` say in words what else spoke for it ("about Maria", "of last week")."""

    scores: ScoreParts
    keyword_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None
    bm25: float | None = None
    coverage: float | None = None
    notes: tuple[str, ...] = ()


class LeftOut(FrozenModel):
    """A candidate that was not returned, and which step of the recall left it out."""

    id: str
    content: str
    relevance: UnitInterval
    why: ExclusionReason


class MemoryItem(FrozenModel):
    """A recalled memory. `relevance_score` is the probability that it helps with the query,
    `answer_score` that it answers it by itself, and `confidence` what that is worth; `superseded`
    says that it is what was true before, and `doubted` that something told later may have taken its
    place, which the user was asked and has not answered."""

    id: str
    content: str
    type: MemoryType
    relevance_score: UnitInterval
    answer_score: UnitInterval
    confidence: Confidence
    source: str | None
    created_at: datetime
    importance: float
    bank: str = DEFAULT_BANK
    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    superseded: bool = False
    doubted: bool = False
    why: Why | None = None


class QueryResponse(FrozenModel, Generic[Recalled]):
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
    degraded: tuple[SearchMethod, ...] = ()
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
    space: Annotated[str, PrintableName, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    roles: list[Role] | None = None
    not_conversation: UUID | None = None
    min_score: UnitInterval = 0.3
    explain: bool = False


class RecalledMessage(FrozenModel):
    """A message that was found. Where it is short, `before` and `after` are the beginnings of the
    messages beside it, each behind who said it ("user: …"). `relevance_score` is the probability
    that it helps with the query."""

    id: str
    conversation_id: str
    role: Role
    content: str
    created_at: datetime
    relevance_score: UnitInterval
    before: str | None = None
    after: str | None = None


class MessageQueryResponse(QueryResponse[RecalledMessage]):
    """The past messages that a recall found; see `QueryResponse`."""
