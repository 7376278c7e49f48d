"""The events of a turn's stream, by name, and how each is made from what the assistant tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Self, TypeAlias
from uuid import UUID

from pydantic import BaseModel

from agent.talks.dialogue import News
from agent.turn.events import TurnClosed
from app.chats.shapes import NotUsed, Quoted, Used
from app.rest.entry import Entry, entries_of
from app.server.problems import Problem
from memory.models import MessageStatus, Privacy

EventName = Literal["turn", "text", "tool", "done", "error", "learned", "end"]
_DOING = {
    "query_memory": "Looking in memory…",
    "remember": "Keeping it…",
    "memory_control": "Seeing to your memory…",
}


class TurnEvent(BaseModel):
    """Always the first: the message is stored, and where. `turn_id` names the stream."""

    turn_id: UUID
    conversation_id: UUID
    privacy: Privacy


class TextEvent(BaseModel):
    """To be appended to the reply."""

    text: str


class ToolEvent(BaseModel):
    """What is done meanwhile, in words."""

    name: str
    said: str

    @classmethod
    def of(cls, name: str) -> Self:
        return cls(name=name, said=_DOING.get(name, "Working…"))


class DoneEvent(BaseModel):
    """The reply is whole, or as whole as `status` says, and what it rests on.

    `saved` is false where the database went away before it was stored: it will be stored when
    that is back. `memories` and `quoted` are what it could rest on, `left_out` what was found and
    not used for want of `min_relevance` or another reason; `kept` and `forgotten` are what the turn
    did to memory, `erased` that it was everything; `unsaid` that something was taken out of what
    was said, so that messages are to be read again. `privacy` is the conversation's from here on.
    """

    status: MessageStatus
    saved: bool
    privacy: Privacy
    memories: list[Used] = []
    quoted: list[Quoted] = []
    left_out: list[NotUsed] = []
    min_relevance: float = 0.0
    kept: list[Entry] = []
    forgotten: list[UUID] = []
    erased: bool = False
    unsaid: bool = False
    notices: list[str] = []

    @classmethod
    def of(cls, closed: TurnClosed) -> Self:
        return cls(
            status=closed.status,
            saved=closed.saved,
            privacy=closed.privacy,
            memories=[Used.of(each) for each in closed.memories],
            quoted=[Quoted.of(each) for each in closed.messages],
            left_out=[NotUsed.of(each, closed.min_relevance) for each in closed.left_out],
            min_relevance=closed.min_relevance,
            kept=entries_of(closed.kept),
            forgotten=[each.id for each in closed.forgotten],
            erased=closed.erased,
            unsaid=bool(closed.unsaid),
            notices=list(closed.notices),
        )


class OpenDoubt(BaseModel):
    """Two memories that may not both hold: whether the newer one replaces the older."""

    id: UUID
    question: str
    older: Entry
    newer: Entry

    @classmethod
    def of(cls, news: News) -> Self:
        assert news.question is not None
        assert news.outcome is not None
        older = news.outcome.older[news.outcome.doubt_ids.index(news.question.doubt_id)]
        return cls(
            id=news.question.doubt_id,
            question=news.sentence,
            older=Entry.of(older),
            newer=Entry.of(news.outcome.item),
        )


class Replaced(BaseModel):
    """What the memory `entry` took the place of."""

    entry: UUID
    older: list[Entry]


class LearnedEvent(BaseModel):
    """What was learned behind the reply, and what has to be asked; left out where that is nothing,
    or is not known in time. `notices` say all of it in words, and `others` what is in none of the
    other fields."""

    notices: list[str]
    kept: list[Entry]
    replaced: list[Replaced] = []
    doubts: list[OpenDoubt]
    others: list[str] = []

    @classmethod
    def of(cls, news: Sequence[News]) -> Self:
        stored = [
            each.outcome
            for each in news
            if each.outcome is not None and each.kind in {"noted", "replaced"}
        ]
        return cls(
            notices=[each.sentence for each in news],
            kept=[Entry.of(each.item) for each in stored],
            replaced=[
                Replaced(entry=each.item.id, older=entries_of(each.older))
                for each in stored
                if each.kind == "replaced"
            ],
            doubts=[OpenDoubt.of(each) for each in news if each.kind == "asked"],
            others=[each.sentence for each in news if each.kind == "left_out"],
        )


class EndEvent(BaseModel):
    """Always the last."""


EventData: TypeAlias = (
    TurnEvent | TextEvent | ToolEvent | DoneEvent | Problem | LearnedEvent | EndEvent
)
EVENTS: Mapping[EventName, type[BaseModel]] = {
    "turn": TurnEvent,
    "text": TextEvent,
    "tool": ToolEvent,
    "done": DoneEvent,
    "error": Problem,
    "learned": LearnedEvent,
    "end": EndEvent,
}
