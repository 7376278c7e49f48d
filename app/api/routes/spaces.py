"""The spaces, what each holds at a glance, and what a user sets for it."""

from __future__ import annotations

from typing import Annotated, Self

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.api.dependencies import (
    AuditContext,
    AuthenticatedRoute,
    CurrentSpace,
    CurrentUser,
    Services,
)
from app.api.etags import IfNoneMatch, etag_of_text, matches_etag
from app.api.openapi import BODY_ERRORS, not_modified_response, problem_responses
from app.schemas.fields import Flag, PageSize, SpaceName
from app.schemas.memories import MemoryEntry, to_entries
from app.schemas.pagination import CursorParam, decode_number, encode_number
from memory.actions.entries import MemorySummary
from memory.actions.presentation import summary_text
from memory.store.memories import MAX_LISTED
from memory.types import MemoryMode, SpaceSettings

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)


class BankInfo(BaseModel):
    """A drawer of memories: how many it holds, and how many of them are pinned."""

    bank: str
    count: int
    pinned: int


class BankWithEntries(BankInfo):
    """With the memories in it that matter most, at most five."""

    entries: list[MemoryEntry]


class SpaceSummary(BaseModel):
    """What a space holds, the fullest bank first; `text` says the same for people."""

    space: str
    count: int
    text: str
    banks: list[BankWithEntries]

    @classmethod
    def of(cls, summary: MemorySummary) -> Self:
        banks = [
            BankWithEntries(
                bank=each.bank,
                count=each.count,
                pinned=each.pinned,
                entries=to_entries(each.items),
            )
            for each in summary.banks
        ]
        text = summary_text(summary)
        return cls(space=summary.space, count=summary.count, text=text, banks=banks)


class BankList(BaseModel):
    """Those of the settings first, empty ones too."""

    banks: list[BankInfo]


class SpaceList(BaseModel):
    """A page of them, by name; `next` is the cursor of the page after it."""

    spaces: list[str]
    next: str | None


@router.get(
    "/summary",
    response_model=SpaceSummary,
    responses=problem_responses() | not_modified_response(),
    operation_id="read_summary",
)
async def read_summary(
    space: CurrentSpace,
    response: Response,
    asking: CurrentUser,
    parts: Services,
    if_none_match: IfNoneMatch = None,
) -> SpaceSummary | Response:
    """Summarise what is remembered, bank by bank."""
    told = SpaceSummary.of(await parts.memory.entries.summary(asking.user_id, space))
    tag = etag_of_text(told.model_dump_json())
    if matches_etag(tag, if_none_match):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return told


@router.get("/banks", responses=problem_responses(), operation_id="list_banks")
async def list_banks(space: CurrentSpace, asking: CurrentUser, parts: Services) -> BankList:
    """List the banks: those of the settings, empty ones too, then others that hold something."""
    banks = await parts.memory.entries.banks(asking.user_id, space)
    return BankList(
        banks=[BankInfo(bank=each.bank, count=each.count, pinned=each.pinned) for each in banks]
    )


@router.get("/spaces", responses=problem_responses(), operation_id="list_spaces")
async def list_spaces(
    asking: CurrentUser, parts: Services, cursor: CursorParam = None, limit: PageSize = MAX_LISTED
) -> SpaceList:
    """List the spaces that hold a memory or a conversation, and the one that is the default."""
    first = 0 if cursor is None else max(0, decode_number(cursor))
    held = await parts.memory.entries.spaces(asking.user_id)
    spaces = sorted({*held, parts.settings.keepsake_space})[first:]
    after = encode_number(first + limit) if len(spaces) > limit else None
    return SpaceList(spaces=spaces[:limit], next=after)


settings_router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)


class MemorySettings(BaseModel):
    """`full` reads and writes memory, `read_only` recalls alone, `off` does neither; memory is
    enabled where it is not off. `incognito_default` begins every conversation incognito;
    `redact_messages` keeps secrets out of stored messages."""

    space: str
    memory_enabled: bool
    memory_mode: MemoryMode
    incognito_default: bool
    redact_messages: bool

    @classmethod
    def of(cls, space: str, known: SpaceSettings) -> Self:
        return cls(space=space, memory_enabled=known.memory_mode != "off", **dict(known))


class SettingsUpdate(BaseModel):
    """What is to change; the rest stays. `memory_enabled` is `memory_mode` in short: true is
    `full`, false is `off`."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"memory_enabled": False}]}
    )

    space: SpaceName | None = None
    memory_enabled: Flag | None = None
    memory_mode: Annotated[MemoryMode | None, Field(description="Not with memory_enabled.")] = None
    incognito_default: Flag | None = None
    redact_messages: Flag | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.memory_enabled is not None and self.memory_mode is not None:
            raise ValueError("name memory_enabled or memory_mode, not both")
        return self

    @property
    def mode(self) -> MemoryMode | None:
        if self.memory_enabled is None:
            return self.memory_mode
        return "full" if self.memory_enabled else "off"


@settings_router.get("/settings", responses=problem_responses(), operation_id="read_settings")
async def read_settings(
    space: CurrentSpace, asking: CurrentUser, parts: Services
) -> MemorySettings:
    """Read what is set for a space."""
    return MemorySettings.of(space, await parts.memory.modes.read(asking.user_id, space))


@settings_router.post(
    "/settings", responses=problem_responses(*BODY_ERRORS), operation_id="change_settings"
)
async def change_settings(
    new: SettingsUpdate, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemorySettings:
    """Switch memory on or off in a space, and say how conversations begin there.

    What is remembered stays, and can still be looked at and forgotten, whatever is set.
    """
    space = new.space or parts.settings.keepsake_space
    known = await parts.memory.modes.change(
        asking.user_id,
        space,
        origin,
        memory_mode=new.mode,
        incognito_default=new.incognito_default,
        redact_messages=new.redact_messages,
    )
    return MemorySettings.of(space, known)
