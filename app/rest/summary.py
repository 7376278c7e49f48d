"""What is known at a glance: the summary of a space, its banks, and the spaces."""

from __future__ import annotations

from typing import Self

from fastapi import APIRouter, Response
from pydantic import BaseModel

from app.rest.answers import problems, unchanged
from app.rest.cursors import From, cursor_of_number, number_of
from app.rest.depends import Asking, Parts
from app.rest.entry import Entry, entries_of
from app.rest.etags import IfNoneMatch, is_known, tag_of_text
from app.rest.fields import PageSize
from app.rest.identified import IdentifiedRoute
from app.rest.scope import InSpace
from memory.controls.readable import summary_text
from memory.controls.summary import Summary
from memory.store.memories.listing import MAX_LISTED

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)


class Bank(BaseModel):
    """A drawer of memories: how many it holds, and how many of them are pinned."""

    bank: str
    count: int
    pinned: int


class BankWithEntries(Bank):
    """With the memories in it that matter most, at most five."""

    entries: list[Entry]


class SpaceSummary(BaseModel):
    """What a space holds, the fullest bank first; `text` says the same for people."""

    space: str
    count: int
    text: str
    banks: list[BankWithEntries]

    @classmethod
    def of(cls, summary: Summary) -> Self:
        banks = [
            BankWithEntries(
                bank=each.bank,
                count=each.count,
                pinned=each.pinned,
                entries=entries_of(each.items),
            )
            for each in summary.banks
        ]
        text = summary_text(summary)
        return cls(space=summary.space, count=summary.count, text=text, banks=banks)


class BankList(BaseModel):
    """Those of the settings first, empty ones too."""

    banks: list[Bank]


class SpaceList(BaseModel):
    """A page of them, by name; `next` is the cursor of the page after it."""

    spaces: list[str]
    next: str | None


@router.get(
    "/summary",
    response_model=SpaceSummary,
    responses=problems() | unchanged(),
    operation_id="read_summary",
)
async def read_summary(
    space: InSpace,
    response: Response,
    asking: Asking,
    parts: Parts,
    if_none_match: IfNoneMatch = None,
) -> SpaceSummary | Response:
    """Summarise what is remembered, bank by bank."""
    told = SpaceSummary.of(await parts.memory.entries.summary(asking.user_id, space))
    tag = tag_of_text(told.model_dump_json())
    if is_known(tag, if_none_match):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return told


@router.get("/banks", responses=problems(), operation_id="list_banks")
async def list_banks(space: InSpace, asking: Asking, parts: Parts) -> BankList:
    """List the banks: those of the settings, empty ones too, then others that hold something."""
    banks = await parts.memory.entries.banks(asking.user_id, space)
    return BankList(
        banks=[Bank(bank=each.bank, count=each.count, pinned=each.pinned) for each in banks]
    )


@router.get("/spaces", responses=problems(), operation_id="list_spaces")
async def list_spaces(
    asking: Asking, parts: Parts, cursor: From = None, limit: PageSize = MAX_LISTED
) -> SpaceList:
    """List the spaces that hold a memory or a conversation, and the one that is the default."""
    first = 0 if cursor is None else max(0, number_of(cursor))
    held = await parts.memory.entries.spaces(asking.user_id)
    spaces = sorted({*held, parts.settings.keepsake_space})[first:]
    after = cursor_of_number(first + limit) if len(spaces) > limit else None
    return SpaceList(spaces=spaces[:limit], next=after)
