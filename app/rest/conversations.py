"""`/v1/conversations`: what was said, listed, read, renamed and deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agent.talks.talks import Talk
from app.rest.answers import WITH_BODY, problems
from app.rest.cursors import From, cursor_of, cursor_of_number, number_of, place_of
from app.rest.depends import Asking, Parts, Written
from app.rest.fields import OneSpace, PageSize, Plain, Sought
from app.rest.identified import IdentifiedRoute
from app.rest.told_messages import ToldMessage, told_by
from app.server.served import Served
from memory.models import Conversation, Privacy
from memory.secrets import redact
from memory.settings import Settings
from memory.store.conversations.listing import ConversationFilter

router = APIRouter(prefix="/v1/conversations", tags=["conversations"], route_class=IdentifiedRoute)
MAX_TITLE_CHARS = 200
ConversationId = Annotated[UUID, Path(alias="id", description="The id of a conversation.")]


class ToldConversation(BaseModel):
    """A conversation; its title is the first thing that was said in it, until it is renamed."""

    id: UUID
    title: str | None
    space: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, found: Conversation) -> Self:
        return cls(**dict(found))


class WholeConversation(ToldConversation):
    """`running` names the turn that is being answered at this moment, whose events can be
    followed. An incognito conversation is in no list, and gone when the program ends."""

    privacy: Privacy
    running: UUID | None


class ConversationList(BaseModel):
    """A page of conversations, the last used first; `next` is the cursor of the page after it."""

    conversations: list[ToldConversation]
    next: str | None


class MessageList(BaseModel):
    """A page of messages, the oldest first; `next` is the cursor of the older ones before it."""

    messages: list[ToldMessage]
    next: str | None


class ConversationsWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    space: OneSpace = None
    text: Annotated[
        Sought | None,
        Field(description="A part of a title, or words of messages; the last may be unfinished."),
    ] = None
    cursor: From = None
    limit: PageSize = 50

    def as_filter(self, settings: Settings) -> ConversationFilter:
        """Raises InvalidInput for a cursor that was not made here."""
        return ConversationFilter(
            space=self.space or settings.keepsake_space,
            text=self.text,
            after=None if self.cursor is None else place_of(self.cursor),
            limit=self.limit,
        )


class PageWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cursor: From = None
    limit: PageSize = 50


class NewTitle(BaseModel):
    """What a conversation is to be called; secrets are taken out of it, as of messages."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[
        str,
        Plain,
        AfterValidator(lambda title: " ".join(title.split())),
        Field(min_length=1, max_length=MAX_TITLE_CHARS, json_schema_extra={"pattern": r"\S"}),
    ]


@router.get("", responses=problems(), operation_id="list_conversations")
async def list_conversations(
    wanted: Annotated[ConversationsWanted, Query()], asking: Asking, parts: Parts
) -> ConversationList:
    """List conversations, the last used first.

    Incognito ones are not among them.
    """
    page = await parts.memory.conversations.browse(asking.user_id, wanted.as_filter(parts.settings))
    return ConversationList(
        conversations=[ToldConversation.of(each) for each in page.conversations],
        next=None if page.next is None else cursor_of(page.next),
    )


@router.get("/{id}", responses=problems(404), operation_id="read_conversation")
async def read_conversation(
    conversation_id: ConversationId, asking: Asking, parts: Parts
) -> WholeConversation:
    """Look at one conversation, and whether it is being answered."""
    return _whole(
        await parts.assistant.talks.find(asking.user_id, conversation_id), asking.user_id, parts
    )


@router.get("/{id}/messages", responses=problems(404), operation_id="list_messages")
async def list_messages(
    conversation_id: ConversationId,
    wanted: Annotated[PageWanted, Query()],
    asking: Asking,
    parts: Parts,
) -> MessageList:
    """Read the messages, the newest page first; each page begins with its oldest message."""
    before = None if wanted.cursor is None else number_of(wanted.cursor)
    page = await parts.assistant.talks.messages(
        asking.user_id, conversation_id, wanted.limit, before
    )
    return MessageList(
        messages=await told_by(parts.memory, asking.user_id, page.messages),
        next=None if page.before is None else cursor_of_number(page.before),
    )


@router.delete(
    "/{id}",
    status_code=204,
    responses=problems(404, 409),
    operation_id="delete_conversation",
)
async def delete_conversation(
    conversation_id: ConversationId, asking: Asking, parts: Parts, origin: Written
) -> None:
    """Delete a conversation, for good.

    All that was said in it goes, and an answer that is being made is stopped. Memories that were
    learned from it stay.
    """
    async with parts.chats.closed(asking.user_id, conversation_id):
        await parts.assistant.talks.delete(asking.user_id, conversation_id, origin)
        parts.chats.drop_told(asking.user_id, conversation_id)


@router.patch("/{id}", responses=problems(404, *WITH_BODY), operation_id="rename_conversation")
async def rename_conversation(
    conversation_id: ConversationId, new: NewTitle, asking: Asking, parts: Parts, origin: Written
) -> WholeConversation:
    """Give a conversation another title.

    Secrets are taken out of it, as of messages.
    """
    title = redact(new.title)
    talk = await parts.assistant.talks.rename(asking.user_id, conversation_id, title, origin)
    return _whole(talk, asking.user_id, parts)


def _whole(talk: Talk, user_id: str, parts: Served) -> WholeConversation:
    turn = parts.chats.running_in(user_id, talk.conversation.id)
    return WholeConversation(
        **dict(talk.conversation) | {"privacy": talk.privacy},
        running=None if turn is None else turn.id,
    )
