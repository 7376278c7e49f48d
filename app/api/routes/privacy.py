"""Incognito, the audit log, the proof that something was forgotten, and erasing everything."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID, uuid4

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from agent.commands.parser import Command
from app.api.dependencies import ApiServices, AuthenticatedRoute, CurrentUser, Services
from app.api.openapi import BODY_ERRORS, problem_responses
from app.schemas.fields import Flag, PageSize, SpaceName
from app.schemas.memories import AuditLogEntry, EntryId, to_audit_log_entries
from app.schemas.pagination import CursorParam, decode_number, encode_number
from memory.actions.forgetting.proof import ErasureProof as StoredProof
from memory.actions.presentation import proof_text
from memory.errors import TurnUnderWay
from memory.types import Privacy
from memory.understanding import CommandName

incognito_router = APIRouter(
    prefix="/v1/memory/incognito", tags=["memory"], route_class=AuthenticatedRoute
)


class IncognitoStart(BaseModel):
    """Which conversation becomes incognito; without an id a new one begins so, and its id is
    answered. `read_only` still recalls what is known."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}]})

    conversation_id: UUID | None = None
    space: Annotated[SpaceName | None, Field(description="Of a conversation that begins.")] = None
    read_only: Flag = False


class IncognitoEnd(BaseModel):
    """Which conversation goes back to what is usual."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: UUID
    space: Annotated[SpaceName | None, Field(description="Taken, and known already.")] = None


class ConversationPrivacy(BaseModel):
    """How private a conversation is from here on."""

    conversation_id: UUID
    privacy: Privacy


@incognito_router.post(
    "/start", responses=problem_responses(404, 409, *BODY_ERRORS), operation_id="start_incognito"
)
async def start_incognito(
    wanted: IncognitoStart, asking: CurrentUser, parts: Services
) -> ConversationPrivacy:
    """Start incognito: in a conversation from here on, or in a new one.

    Nothing that is said then is stored anywhere, and memory is neither read nor written.
    """
    privacy: Privacy = "incognito_read_only" if wanted.read_only else "incognito"
    if wanted.conversation_id is None:
        begun = uuid4()
        space = wanted.space or parts.settings.keepsake_space
        parts.assistant.begin(asking.user_id, begun, space, privacy)
        return ConversationPrivacy(conversation_id=begun, privacy=privacy)
    command: CommandName = "incognito_read_only" if wanted.read_only else "incognito_on"
    return await _dispatch(command, asking.user_id, wanted.conversation_id, parts)


@incognito_router.post(
    "/end", responses=problem_responses(404, 409, *BODY_ERRORS), operation_id="end_incognito"
)
async def end_incognito(
    wanted: IncognitoEnd, asking: CurrentUser, parts: Services
) -> ConversationPrivacy:
    """End incognito: what was said in it is gone, and the conversation goes on as usual."""
    ended = await _dispatch("incognito_off", asking.user_id, wanted.conversation_id, parts)
    parts.chats.discard_events(asking.user_id, wanted.conversation_id)
    return ended


async def _dispatch(
    name: CommandName, user_id: str, conversation_id: UUID, parts: ApiServices
) -> ConversationPrivacy:
    """As the same words in the conversation would. Raises ConversationNotFound, and TurnUnderWay
    while it is being answered."""
    talk = await parts.assistant.talks.find(user_id, conversation_id)
    if parts.chats.running_in(user_id, conversation_id) is not None:
        raise TurnUnderWay
    obeyed = await parts.assistant.obey(
        user_id, conversation_id, Command(name), talk.conversation.space
    )
    return ConversationPrivacy(conversation_id=conversation_id, privacy=obeyed.privacy)


router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)


class AuditQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cursor: CursorParam = None
    limit: PageSize = 50


class AuditLog(BaseModel):
    """A page of the log, the newest entry first; `next` is the cursor of the page after it."""

    entries: list[AuditLogEntry]
    next: str | None


class ForgetProof(BaseModel):
    """That a memory is gone. `holds` once it is erased and nothing like it was found; `text` says
    for people what was removed and searched; `removed` counts it, by kind."""

    holds: bool
    text: str
    forgotten_at: datetime
    erased_at: datetime | None
    removed: dict[str, int]

    @classmethod
    def of(cls, proof: StoredProof) -> Self:
        grave = proof.grave
        return cls(
            holds=proof.holds,
            text=proof_text(proof),
            forgotten_at=grave.forgotten_at,
            erased_at=grave.erased_at,
            removed=dict(grave.removed),
        )


@router.get("/audit", responses=problem_responses(), operation_id="list_audit")
async def list_audit(
    wanted: Annotated[AuditQuery, Query()], asking: CurrentUser, parts: Services
) -> AuditLog:
    """List what was done with your memory: who, when and what, never its words."""
    before = None if wanted.cursor is None else decode_number(wanted.cursor)
    found = await parts.memory.audit.read(asking.user_id, wanted.limit + 1, before)
    page = found[: wanted.limit]
    after = encode_number(page[-1].id) if len(found) > wanted.limit else None
    return AuditLog(entries=to_audit_log_entries(page), next=after)


@router.get("/entries/{id}/proof", responses=problem_responses(404), operation_id="prove_forgotten")
async def prove_forgotten(item_id: EntryId, asking: CurrentUser, parts: Services) -> ForgetProof:
    """Prove that a memory was forgotten: what was removed, and searches that find nothing of it.

    404 for what was never forgotten, or was brought back.
    """
    return ForgetProof.of(await parts.memory.forgetting.prove(asking.user_id, item_id))


erase_router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)
CONFIRMATION_TEXT = "erase everything"


class EraseConfirmation(BaseModel):
    """Just these words, so that nothing is erased by mistake."""

    model_config = ConfigDict(extra="forbid")

    confirm: Literal["erase everything"] = Field(examples=[CONFIRMATION_TEXT])


class EraseReport(BaseModel):
    """How many rows went, by table. Where the caches could not be reached, what they hold of you
    runs out by itself within seven days."""

    rows: dict[str, int]
    caches_cleared: bool


@erase_router.post(
    "/erase", responses=problem_responses(*BODY_ERRORS), operation_id="erase_everything"
)
async def erase_everything(
    confirmed: EraseConfirmation, asking: CurrentUser, parts: Services
) -> EraseReport:
    """Erase everything that is kept of you, at once and for good.

    Memories, conversations, settings and the log go, and what is being answered is stopped. Your
    API keys go as well: where you sign in with one, a new one must be made for you afterwards.
    `GET /v1/memory/export` takes a copy of the rest first. It cannot be undone.
    """
    erased = await parts.assistant.erase_user(asking.user_id)
    return EraseReport(rows=dict(erased.rows), caches_cleared=erased.caches_cleared)
