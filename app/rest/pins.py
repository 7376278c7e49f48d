"""Pinning, and bringing back what was forgotten, trimmed or replaced."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.rest.answers import problems
from app.rest.depends import Asking, Parts, Written
from app.rest.entry import Entry, EntryId
from app.rest.etags import tag_of
from app.rest.identified import IdentifiedRoute

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)


@router.post("/entries/{id}/pin", responses=problems(404), operation_id="pin_entry")
async def pin_entry(
    item_id: EntryId, response: Response, asking: Asking, parts: Parts, origin: Written
) -> Entry:
    """Pin a memory: it is never trimmed, and replaced only if its user says so."""
    item = await parts.memory.entries.pin(asking.user_id, item_id, origin)
    response.headers["ETag"] = tag_of(item)
    return Entry.of(item)


@router.delete("/entries/{id}/pin", responses=problems(404), operation_id="unpin_entry")
async def unpin_entry(
    item_id: EntryId, response: Response, asking: Asking, parts: Parts, origin: Written
) -> Entry:
    """Take the pin away; the memory stays as important as it was."""
    item = await parts.memory.entries.unpin(asking.user_id, item_id, origin)
    response.headers["ETag"] = tag_of(item)
    return Entry.of(item)


@router.post("/entries/{id}/restore", responses=problems(404), operation_id="restore_entry")
async def restore_entry(
    item_id: EntryId, response: Response, asking: Asking, parts: Parts, origin: Written
) -> Entry:
    """Bring a memory back that was forgotten within the day, replaced, or taken out by upkeep.

    What replaced it stays. What upkeep had taken out is saved by hand from now on, so that it does
    not do so again. A memory that is in recall is left as it is. What was erased is gone: 404.
    """
    item = await parts.memory.restore(asking.user_id, item_id, origin)
    response.headers["ETag"] = tag_of(item)
    return Entry.of(item)
