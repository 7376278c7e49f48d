"""Leaving nothing behind."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts
from app.rest.identified import IdentifiedRoute

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)
CONFIRMED = "erase everything"


class Confirmation(BaseModel):
    """Just these words, so that nothing is erased by mistake."""

    model_config = ConfigDict(extra="forbid")

    confirm: Literal["erase everything"] = Field(examples=[CONFIRMED])


class Erased(BaseModel):
    """How many rows went, by table. Where the caches could not be reached, what they hold of you
    runs out by itself within seven days."""

    rows: dict[str, int]
    caches_cleared: bool


@router.post("/erase", responses=problems(*WITH_BODY), operation_id="erase_everything")
async def erase_everything(confirmed: Confirmation, asking: Asking, parts: Parts) -> Erased:
    """Erase everything that is kept of you, at once and for good.

    Memories, conversations, settings and the log go, and what is being answered is stopped. Your
    API keys go as well: where you sign in with one, a new one must be made for you afterwards.
    `GET /v1/memory/export` takes a copy of the rest first. It cannot be undone.
    """
    async with parts.chats.closed_user(asking.user_id):
        await parts.assistant.drop_user(asking.user_id)
        erased = await parts.memory.portability.erase_everything(asking.user_id)
    return Erased(rows=dict(erased.rows), caches_cleared=erased.caches_cleared)
