"""`/v1/conversations`: what was said, listed, read with what it rested on, renamed and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from agent.conversations.service import ConversationWithPrivacy
from app.api.dependencies import (
    ApiServices,
    AuditContext,
    AuthenticatedRoute,
    CurrentUser,
    Services,
)
from app.api.events import AskedQuestion, CitedMemory, RecallReason, RecallScores
from app.api.openapi import BODY_ERRORS, problem_responses
from app.schemas.fields import PageSize, PlainText, SearchText, SpaceFilter
from app.schemas.pagination import (
    CursorParam,
    decode_number,
    decode_place,
    encode_number,
    encode_place,
)
from memory.config import Settings
from memory.secrets import redact
from memory.service import MemoryService
from memory.store.conversations import ConversationFilter, MessageWithSources
from memory.types import MessageStatus, Privacy, Role, StoredConversation, StoredMemory


class CitedPastMessage(BaseModel):
    """A past message that a reply rests on, in the words that it has now. Where it was deleted
    since, `gone` is true and nothing but the id is left."""

    id: UUID
    conversation_id: UUID | None = None
    role: Role | None = None
    text: str | None = None
    created_at: datetime | None = None
    relevance: float
    gone: bool = False


class ConversationMessage(BaseModel):
    """One side of a turn. `memories` are what a reply could rest on, in the words that they have
    now; one that was forgotten since is `gone`, and the sentences about it are “[forgotten]” in the
    text. The text of what was withheld is empty."""

    id: UUID
    turn_id: UUID
    role: Role
    text: str
    status: MessageStatus
    created_at: datetime
    memories: list[CitedMemory] = []
    quoted: list[CitedPastMessage] = []


async def redact_forgotten(
    memory: MemoryService, user_id: str, shown: Sequence[MessageWithSources]
) -> list[MessageWithSources]:
    """The messages as they will be once what was forgotten is erased: its words, which wait for an
    undo, are shown no more. Raises DatabaseUnavailable."""
    left = await memory.forgetting.words_left(user_id, [each.message.id for each in shown])
    return [
        replace(each, message=each.message.model_copy(update={"content": left[each.message.id]}))
        if each.message.id in left
        else each
        for each in shown
    ]


async def to_messages(
    memory: MemoryService, user_id: str, shown: Sequence[MessageWithSources]
) -> list[ConversationMessage]:
    """Raises DatabaseUnavailable."""
    known = await memory.entries.read_several(user_id, _ids(shown, "item_id"))
    readable = await redact_forgotten(memory, user_id, shown)
    past = await memory.conversations.read_several(user_id, _ids(shown, "message_id"))
    quoted = {each.message.id: each for each in await redact_forgotten(memory, user_id, past)}
    return [_to_message(each, known, quoted) for each in readable]


async def cited_memories(
    memory: MemoryService, user_id: str, shown: Sequence[MessageWithSources]
) -> list[CitedMemory]:
    """What all of them rested on. Raises DatabaseUnavailable."""
    return [used for each in await to_messages(memory, user_id, shown) for used in each.memories]


def _to_message(
    shown: MessageWithSources,
    known: Mapping[UUID, StoredMemory],
    quoted: Mapping[UUID, MessageWithSources],
) -> ConversationMessage:
    message = shown.message
    items = [each for each in shown.recalled if "item_id" in each]
    return ConversationMessage(
        id=message.id,
        turn_id=message.correlation_id,
        role=message.role,
        text="" if message.status == "withheld" else message.content,
        status=message.status,
        created_at=message.created_at,
        memories=[_to_cited_memory(each, known.get(UUID(each["item_id"]))) for each in items],
        quoted=[
            _to_cited_message(each, quoted.get(UUID(each["message_id"])))
            for each in shown.recalled
            if "message_id" in each
        ],
    )


def _to_cited_message(
    rested: Mapping[str, Any], past: MessageWithSources | None
) -> CitedPastMessage:
    told = CitedPastMessage(id=UUID(rested["message_id"]), relevance=rested["relevance"])
    if past is None or past.message.status == "withheld":
        return told.model_copy(update={"gone": True})
    message = past.message
    shown = {
        "conversation_id": message.conversation_id,
        "role": message.role,
        "text": message.content,
        "created_at": message.created_at,
    }
    return told.model_copy(update=shown)


def _to_cited_memory(rested: Mapping[str, Any], item: StoredMemory | None) -> CitedMemory:
    source = None if item is None else item.source_message_id
    return CitedMemory(
        id=UUID(rested["item_id"]),
        text=None if item is None else item.content,
        type=None if item is None else item.type,
        bank=None if item is None else item.bank,
        relevance=rested["relevance"],
        answers=rested.get("answers"),
        confidence=rested.get("confidence"),
        created_at=None if item is None else item.created_at,
        source=None if source is None else f"message:{source}",
        superseded=item is not None and item.superseded_by is not None,
        gone=item is None,
        why=_why(rested),
    )


def _why(rested: Mapping[str, Any]) -> RecallReason | None:
    """None where an older version stored no scores."""
    ranks = rested.get("ranks", {})
    try:
        scores = RecallScores.model_validate(rested.get("scores"))
    except ValidationError:
        return None
    return RecallReason(
        scores=scores, keyword_rank=ranks.get("keyword"), vector_rank=ranks.get("vector")
    )


def _ids(shown: Sequence[MessageWithSources], name: str) -> list[UUID]:
    return [UUID(rested[name]) for each in shown for rested in each.recalled if name in rested]


router = APIRouter(
    prefix="/v1/conversations", tags=["conversations"], route_class=AuthenticatedRoute
)
MAX_TITLE_CHARS = 200
ConversationId = Annotated[UUID, Path(alias="id", description="The id of a conversation.")]


class ConversationInfo(BaseModel):
    """A conversation; its title is the first thing that was said in it, until it is renamed."""

    id: UUID
    title: str | None
    space: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, found: StoredConversation) -> Self:
        return cls(**dict(found))


class ConversationDetails(ConversationInfo):
    """`running` names the turn that is being answered at this moment, whose events can be
    followed; null for one that is incognito; `question` is what was asked in it last and can still
    be answered. Such a conversation is in no list, and gone when the program ends."""

    privacy: Privacy
    running: UUID | None
    question: AskedQuestion | None


class ConversationList(BaseModel):
    """A page of conversations, the last used first; `next` is the cursor of the page after it."""

    conversations: list[ConversationInfo]
    next: str | None


class MessageList(BaseModel):
    """A page of messages, the oldest first; `next` is the cursor of the older ones before it."""

    messages: list[ConversationMessage]
    next: str | None


class ConversationQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    space: SpaceFilter = None
    text: Annotated[
        SearchText | None,
        Field(description="A part of a title, or words of messages; the last may be unfinished."),
    ] = None
    cursor: CursorParam = None
    limit: PageSize = 50

    def as_filter(self, settings: Settings) -> ConversationFilter:
        """Raises InvalidInput for a cursor that was not made here."""
        return ConversationFilter(
            space=self.space or settings.keepsake_space,
            text=self.text,
            after=None if self.cursor is None else decode_place(self.cursor),
            limit=self.limit,
        )


class MessageQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cursor: CursorParam = None
    limit: PageSize = 50


class NewTitle(BaseModel):
    """What a conversation is to be called; secrets are taken out of it, as of messages."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[
        str,
        PlainText,
        AfterValidator(lambda title: " ".join(title.split())),
        Field(min_length=1, max_length=MAX_TITLE_CHARS, json_schema_extra={"pattern": r"\S"}),
    ]


@router.get("", responses=problem_responses(), operation_id="list_conversations")
async def list_conversations(
    wanted: Annotated[ConversationQuery, Query()], asking: CurrentUser, parts: Services
) -> ConversationList:
    """List conversations, the last used first.

    Incognito ones are not among them.
    """
    page = await parts.memory.conversations.browse(asking.user_id, wanted.as_filter(parts.settings))
    return ConversationList(
        conversations=[ConversationInfo.of(each) for each in page.conversations],
        next=None if page.next is None else encode_place(page.next),
    )


@router.get("/{id}", responses=problem_responses(404), operation_id="read_conversation")
async def read_conversation(
    conversation_id: ConversationId, asking: CurrentUser, parts: Services
) -> ConversationDetails:
    """Look at one conversation, and whether it is being answered."""
    return _to_details(
        await parts.assistant.talks.find(asking.user_id, conversation_id), asking.user_id, parts
    )


@router.get("/{id}/messages", responses=problem_responses(404), operation_id="list_messages")
async def list_messages(
    conversation_id: ConversationId,
    wanted: Annotated[MessageQuery, Query()],
    asking: CurrentUser,
    parts: Services,
) -> MessageList:
    """Read the messages, the newest page first; each page begins with its oldest message.

    What was said incognito is stored nowhere, and not among them.
    """
    before = None if wanted.cursor is None else decode_number(wanted.cursor)
    page = await parts.assistant.talks.messages(
        asking.user_id, conversation_id, wanted.limit, before
    )
    return MessageList(
        messages=await to_messages(parts.memory, asking.user_id, page.messages),
        next=None if page.before is None else encode_number(page.before),
    )


@router.delete(
    "/{id}",
    status_code=204,
    responses=problem_responses(404, 409),
    operation_id="delete_conversation",
)
async def delete_conversation(
    conversation_id: ConversationId, asking: CurrentUser, parts: Services, origin: AuditContext
) -> None:
    """Delete a conversation, for good.

    All that was said in it goes, and an answer that is being made is stopped. Memories that were
    learned from it stay.
    """
    async with parts.chats.closed(asking.user_id, conversation_id):
        await parts.assistant.talks.delete(asking.user_id, conversation_id, origin)
        parts.chats.discard_events(asking.user_id, conversation_id)


@router.patch(
    "/{id}", responses=problem_responses(404, *BODY_ERRORS), operation_id="rename_conversation"
)
async def rename_conversation(
    conversation_id: ConversationId,
    new: NewTitle,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
) -> ConversationDetails:
    """Give a conversation another title.

    Secrets are taken out of it, as of messages.
    """
    title = await asyncio.to_thread(redact, new.title)
    talk = await parts.assistant.talks.rename(asking.user_id, conversation_id, title, origin)
    return _to_details(talk, asking.user_id, parts)


def _to_details(
    talk: ConversationWithPrivacy, user_id: str, parts: ApiServices
) -> ConversationDetails:
    turn, asked = None, talk.question
    if talk.privacy == "normal":
        turn = parts.chats.running_in(user_id, talk.conversation.id)
    return ConversationDetails(
        **dict(talk.conversation) | {"privacy": talk.privacy},
        running=None if turn is None else turn.id,
        question=None if asked is None else AskedQuestion.of(asked, talk.question_in_reply),
    )
