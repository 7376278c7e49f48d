"""`/v1/memory/entries`: the memories of a space, listed, kept, looked at, corrected, forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from app.rest.answers import WITH_BODY, Responses, links, problems, unchanged
from app.rest.cursors import cursor_of
from app.rest.depends import Asking, Parts, Written
from app.rest.entry import Entry, EntryId, entries_of
from app.rest.entry_details import EntryDetails
from app.rest.etags import IfMatch, IfNoneMatch, is_current, is_known, tag_of
from app.rest.identified import IdentifiedRoute
from app.rest.kept import Gone, Kept, ids_of, kept_before
from app.rest.listing import EntriesWanted
from app.rest.new_entry import Correction, NewEntry
from app.server.idempotency import Once
from memory.store.forgetting.forgetting import History

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)
KNOWN: Responses = {
    200: {"model": Kept, "description": "It was known already, and is counted once more."}
}
_NEXT = ("read_entry", "correct_entry", "forget_entry", "pin_entry", "unpin_entry", "restore_entry")
MADE: Responses = {201: {"links": links("/entry/id", *_NEXT)}}


class EntryList(BaseModel):
    """A page of memories, the newest first; `next` is the cursor of the page after it."""

    entries: list[Entry]
    next: str | None


@router.get("/entries", responses=problems(), operation_id="list_entries")
async def list_entries(
    wanted: Annotated[EntriesWanted, Query()], asking: Asking, parts: Parts
) -> EntryList:
    """List memories, the newest first.

    It works also while memory is off. A filter that is left out asks for nothing.
    """
    page = await parts.memory.entries.browse(asking.user_id, wanted.as_filter(parts.settings))
    after = None if page.next is None else cursor_of(page.next)
    return EntryList(entries=entries_of(page.items), next=after)


@router.post(
    "/entries",
    status_code=201,
    responses=problems(409, *WITH_BODY) | KNOWN | MADE,
    operation_id="create_entry",
)
async def create_entry(
    new: NewEntry,
    response: Response,
    *,
    asking: Asking,
    parts: Parts,
    origin: Written,
    once: Once,
) -> Kept:
    """Remember something.

    What contradicts an older memory replaces it or, where that is not clear, asks: the outcome says
    which. Refused are secrets (422), what was forgotten within a day (409), and everything while
    memory is off or read-only in the space (409).
    """
    if once.done is not None:
        outcome = await kept_before(once.done, asking.user_id, parts.memory.entries)
    else:
        item = new.as_item(parts.settings, datetime.now(UTC))
        outcome = await parts.memory.remember(asking.user_id, item, origin)
        response.status_code = 200 if outcome.kind == "repeated" else 201
        await once.finish(response.status_code, outcome=outcome.kind, ids=ids_of(outcome))
    response.headers["Location"] = f"/v1/memory/entries/{outcome.item.id}"
    response.headers["ETag"] = tag_of(outcome.item)
    return Kept.of(outcome)


@router.get(
    "/entries/{id}",
    response_model=EntryDetails,
    responses=problems(404) | unchanged(),
    operation_id="read_entry",
)
async def read_entry(
    item_id: EntryId,
    response: Response,
    asking: Asking,
    parts: Parts,
    if_none_match: IfNoneMatch = None,
) -> EntryDetails | Response:
    """Look at one memory: its source, its history, what it replaced and what replaced it."""
    details = await parts.memory.entries.details(asking.user_id, item_id)
    history = await parts.memory.audit.of_item(asking.user_id, item_id)
    told = EntryDetails.of_all(details, history)
    tag = tag_of(details.item, told.model_dump_json())
    if is_known(tag, if_none_match):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return told


@router.patch(
    "/entries/{id}", responses=problems(404, 409, 412, *WITH_BODY), operation_id="correct_entry"
)
async def correct_entry(
    *,
    item_id: EntryId,
    correction: Correction,
    response: Response,
    asking: Asking,
    parts: Parts,
    origin: Written,
    if_match: IfMatch = None,
) -> Entry:
    """Correct a memory.

    With a new text the old one stays as a replaced memory of its own.
    """
    item = await parts.memory.entries.edit(
        asking.user_id,
        item_id,
        correction.as_changes(),
        origin,
        still=partial(is_current, if_match),
    )
    response.headers["ETag"] = tag_of(item)
    return Entry.of(item)


@router.delete("/entries/{id}", responses=problems(404, 412), operation_id="forget_entry")
async def forget_entry(
    *,
    item_id: EntryId,
    asking: Asking,
    parts: Parts,
    origin: Written,
    for_good: Annotated[bool, Query(description="Erased now, with no way back.")] = False,
    history: Annotated[
        History, Query(description="What becomes of the conversations it was said in.")
    ] = "redact",
    if_match: IfMatch = None,
) -> Gone:
    """Forget a memory, with what it had replaced and what was made from it.

    It is out of every recall at once and erased after a day, until when it can be restored; with
    `for_good` it is erased now. `history` is what then becomes of the conversations: their
    sentences about it are redacted, the messages that hold one are deleted, or all is kept.
    """
    forgotten = await parts.memory.forgetting.forget(
        asking.user_id,
        [item_id],
        origin,
        for_good=for_good,
        history=history,
        still=partial(is_current, if_match),
    )
    return Gone.of(forgotten)
