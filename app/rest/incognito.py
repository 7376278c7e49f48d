"""Incognito, for one conversation: nothing of it is stored, and memory is not written."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from agent.commands.command import Command
from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts
from app.rest.fields import Space, YesNo
from app.rest.identified import IdentifiedRoute
from app.server.served import Served
from memory.errors import TurnUnderWay
from memory.models import Privacy
from memory.understanding import CommandName

router = APIRouter(prefix="/v1/memory/incognito", tags=["memory"], route_class=IdentifiedRoute)


class IncognitoBegun(BaseModel):
    """Which conversation becomes incognito; without an id a new one begins so, and its id is
    answered. `read_only` still recalls what is known."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}]})

    conversation_id: UUID | None = None
    space: Annotated[Space | None, Field(description="Of a conversation that begins.")] = None
    read_only: YesNo = False


class IncognitoEnded(BaseModel):
    """Which conversation goes back to what is usual."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: UUID
    space: Annotated[Space | None, Field(description="Taken, and known already.")] = None


class Privately(BaseModel):
    """How private a conversation is from here on."""

    conversation_id: UUID
    privacy: Privacy


@router.post("/start", responses=problems(404, 409, *WITH_BODY), operation_id="start_incognito")
async def start_incognito(wanted: IncognitoBegun, asking: Asking, parts: Parts) -> Privately:
    """Start incognito: in a conversation from here on, or in a new one.

    Nothing that is said then is stored anywhere, and memory is neither read nor written.
    """
    privacy: Privacy = "incognito_read_only" if wanted.read_only else "incognito"
    if wanted.conversation_id is None:
        begun = uuid4()
        space = wanted.space or parts.settings.keepsake_space
        parts.assistant.begin(asking.user_id, begun, space, privacy)
        return Privately(conversation_id=begun, privacy=privacy)
    command: CommandName = "incognito_read_only" if wanted.read_only else "incognito_on"
    return await _obey(command, asking.user_id, wanted.conversation_id, parts)


@router.post("/end", responses=problems(404, 409, *WITH_BODY), operation_id="end_incognito")
async def end_incognito(wanted: IncognitoEnded, asking: Asking, parts: Parts) -> Privately:
    """End incognito: what was said in it is gone, and the conversation goes on as usual."""
    ended = await _obey("incognito_off", asking.user_id, wanted.conversation_id, parts)
    parts.chats.drop_told(asking.user_id, wanted.conversation_id)
    return ended


async def _obey(name: CommandName, user_id: str, conversation_id: UUID, parts: Served) -> Privately:
    """As the same words in the conversation would. Raises ConversationNotFound, and TurnUnderWay
    while it is being answered."""
    talk = await parts.assistant.talks.find(user_id, conversation_id)
    if parts.chats.running_in(user_id, conversation_id) is not None:
        raise TurnUnderWay
    obeyed = await parts.assistant.obey(
        user_id, conversation_id, Command(name), talk.conversation.space
    )
    return Privately(conversation_id=conversation_id, privacy=obeyed.privacy)
