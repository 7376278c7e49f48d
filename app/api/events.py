"""The events of a turn's stream, and what an answer rests on as they tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Self, TypeAlias
from uuid import UUID

from pydantic import BaseModel

from agent.conversations.state import PendingNotice, Question
from agent.explanation import cut_reason
from agent.turn.background import conflict_question
from agent.turn.events import TurnClosed
from app.api.problems import Problem
from app.schemas.memories import MemoryEntry, to_entries
from memory.types import (
    Confidence,
    ExclusionReason,
    LeftOut,
    MemoryItem,
    MemoryType,
    MessageStatus,
    Privacy,
    RecalledMessage,
    Role,
)


class RecallScores(BaseModel):
    """What a memory was ranked by, from 0 to 1; `total` is their weighted sum, times `usage` and
    `quality`."""

    relevance: float
    recency: float
    importance: float
    usage: float = 1.0
    quality: float = 1.0
    total: float


class RecallReason(BaseModel):
    """How a memory was found. A rank is its place in the search by words or by meaning, from 1;
    `notes` say in words what else spoke for it. What was not measured, or not kept, is null."""

    scores: RecallScores
    keyword_rank: int | None = None
    vector_rank: int | None = None
    cosine: float | None = None
    bm25: float | None = None
    coverage: float | None = None
    notes: list[str] = []


class CitedMemory(BaseModel):
    """A memory that an answer rests on. `relevance` is the probability that it helps, `answers`
    that it answers by itself, and `confidence` what that is worth; both are null in a reply of an
    older version. `source` names the message it came from; `superseded` says that it is what was
    true before. Where it was forgotten since, `gone` is true and nothing but the id is left."""

    id: UUID
    text: str | None
    type: MemoryType | None
    bank: str | None
    relevance: float
    answers: float | None
    confidence: Confidence | None
    created_at: datetime | None
    source: str | None
    superseded: bool
    gone: bool = False
    why: RecallReason | None

    @classmethod
    def of(cls, item: MemoryItem) -> Self:
        return cls(
            id=UUID(item.id),
            text=item.content,
            type=item.type,
            bank=item.bank,
            relevance=item.relevance_score,
            answers=item.answer_score,
            confidence=item.confidence,
            created_at=item.created_at,
            source=item.source,
            superseded=item.superseded,
            why=None if item.why is None else RecallReason.model_validate(item.why.model_dump()),
        )


class CitedMessage(BaseModel):
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


class ExcludedMemory(BaseModel):
    """A memory that was found and not used: `reason` in one word, `said` in plain ones. `text` is
    empty where it gives orders."""

    id: UUID
    text: str
    relevance: float
    reason: ExclusionReason
    said: str

    @classmethod
    def of(cls, item: LeftOut, min_relevance: float) -> Self:
        return cls(
            id=UUID(item.id),
            text=item.content,
            relevance=item.relevance,
            reason=item.why,
            said=cut_reason(item.why, min_relevance),
        )


EventName = Literal["turn", "text", "tool", "done", "error", "learned", "end"]
_TOOL_STATUS = {
    "query_memory": "Looking in memory…",
    "remember": "Seeing to your memory…",
    "memory_control": "Seeing to your memory…",
}


class TurnStartedEvent(BaseModel):
    """Always the first: the message is stored, and where. `turn_id` names the stream. `kept` says
    that the turn is one of the conversation's, which can be taken back; a command that leaves no
    trace is not."""

    turn_id: UUID
    conversation_id: UUID
    privacy: Privacy
    kept: bool = True


class TextEvent(BaseModel):
    """To be appended to the reply."""

    text: str


class ToolEvent(BaseModel):
    """What is done meanwhile, in words."""

    name: str
    said: str

    @classmethod
    def of(cls, name: str) -> Self:
        return cls(name=name, said=_TOOL_STATUS.get(name, "Working…"))


class QuestionChoice(BaseModel):
    """One of several answers: its `text`, said as the next message, is that answer."""

    id: str
    text: str


class AskedQuestion(BaseModel):
    """What Keepsake itself asks, to be shown word for word after the reply, unless `in_reply` says
    that the reply has its words. The very next message of the conversation answers it: with one of
    the `choices`, where there are any, else with “yes” or “no”; any other one takes it back."""

    text: str
    choices: list[QuestionChoice] = []
    in_reply: bool = False

    @classmethod
    def of(cls, question: Question, in_reply: bool) -> Self:
        choices = [QuestionChoice(id=each.id, text=each.text) for each in question.choices]
        return cls(text=question.text, choices=choices, in_reply=in_reply)


class ChangedEntry(BaseModel):
    """A memory that was corrected, and what it said before; `revert` takes that back."""

    entry: UUID
    before: str


class DoneEvent(BaseModel):
    """The reply is whole, or as whole as `status` says, and what it rests on.

    `saved` is false where the database went away before it was stored: it will be stored when
    that is back. `memories` and `quoted` are what it could rest on, `left_out` what was found and
    not used for want of `min_relevance` or another reason; `kept` and `forgotten` are what the turn
    did to memory, `changed` which of the `kept` it corrected, `erased` that it was everything;
    `unsaid` that something was taken out of what was said, so that messages are to be read again.
    `privacy` is the conversation's from here on. `question` is what Keepsake asks; it is open once
    this event was sent to somebody.
    """

    status: MessageStatus
    saved: bool
    privacy: Privacy
    memories: list[CitedMemory] = []
    quoted: list[CitedMessage] = []
    left_out: list[ExcludedMemory] = []
    min_relevance: float = 0.0
    kept: list[MemoryEntry] = []
    changed: list[ChangedEntry] = []
    forgotten: list[UUID] = []
    erased: bool = False
    unsaid: bool = False
    notices: list[str] = []
    question: AskedQuestion | None = None

    @classmethod
    def of(cls, closed: TurnClosed) -> Self:
        asked = closed.question
        return cls(
            status=closed.status,
            saved=closed.saved,
            privacy=closed.privacy,
            memories=[CitedMemory.of(each) for each in closed.memories],
            quoted=[CitedMessage.of(each) for each in closed.messages],
            left_out=[ExcludedMemory.of(each, closed.min_relevance) for each in closed.left_out],
            min_relevance=closed.min_relevance,
            kept=to_entries(closed.kept),
            changed=[ChangedEntry(entry=key, before=said) for key, said in closed.changed.items()],
            forgotten=[each.id for each in closed.forgotten],
            erased=closed.erased,
            unsaid=bool(closed.unsaid),
            notices=list(closed.notices),
            question=None if asked is None else AskedQuestion.of(asked, closed.question_in_reply),
        )


class StreamedConflict(BaseModel):
    """Two memories that may not both hold: whether the newer one replaces the older."""

    id: UUID
    question: str
    older: MemoryEntry
    newer: MemoryEntry


class SupersededEntries(BaseModel):
    """What the memory `entry` took the place of."""

    entry: UUID
    older: list[MemoryEntry]


class LearnedEvent(BaseModel):
    """What was learned behind the reply, and what has to be asked; left out where that is nothing,
    or is not known in time. `notices` say all of it in words."""

    notices: list[str]
    kept: list[MemoryEntry]
    replaced: list[SupersededEntries] = []
    doubts: list[StreamedConflict]

    @classmethod
    def of(cls, news: Sequence[PendingNotice]) -> Self:
        outcomes = [each.outcome for each in news if each.outcome is not None]
        return cls(
            notices=[each.sentence for each in news],
            kept=[MemoryEntry.of(each.item) for each in outcomes],
            replaced=[
                SupersededEntries(entry=each.item.id, older=to_entries(each.older))
                for each in outcomes
                if each.kind == "replaced"
            ],
            doubts=[
                StreamedConflict(
                    id=doubt,
                    question=conflict_question(older.content, each.item.content),
                    older=MemoryEntry.of(older),
                    newer=MemoryEntry.of(each.item),
                )
                for each in outcomes
                if each.doubt_ids
                for older, doubt in zip(each.older, each.doubt_ids, strict=True)
            ],
        )


class EndEvent(BaseModel):
    """Always the last."""


EventData: TypeAlias = (
    TurnStartedEvent | TextEvent | ToolEvent | DoneEvent | Problem | LearnedEvent | EndEvent
)
EVENTS: Mapping[EventName, type[BaseModel]] = {
    "turn": TurnStartedEvent,
    "text": TextEvent,
    "tool": ToolEvent,
    "done": DoneEvent,
    "error": Problem,
    "learned": LearnedEvent,
    "end": EndEvent,
}
