"""`/v1/memory/entries` and `/v1/memory/search`: memories listed, kept, looked at, corrected,
pinned, forgotten, brought back and recalled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from typing import Annotated, Literal, Self, get_args
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from agent.turn.background import conflict_question
from app.api.dependencies import AuditContext, AuthenticatedRoute, CurrentUser, Services
from app.api.etags import IfMatch, IfNoneMatch, etag_of, is_unchanged, matches_etag
from app.api.idempotency import Idempotent
from app.api.openapi import (
    BODY_ERRORS,
    Responses,
    not_modified_response,
    problem_responses,
    response_links,
)
from app.schemas.fields import BankName, Flag, QuestionText, SpaceName
from app.schemas.memories import (
    Correction,
    EntryDetails,
    EntryId,
    EntryQuery,
    MemoryEntry,
    NewEntry,
    to_entries,
)
from app.schemas.pagination import encode_place
from memory.actions.entries import Entries
from memory.config import Settings
from memory.errors import NotFound
from memory.ingestion.classification import bank_for_search
from memory.store.forgetting import ForgetResult, HistoryChoice
from memory.store.idempotency import CompletedRequest
from memory.types import (
    Confidence,
    MemoryQueryRequest,
    MemoryQueryResponse,
    MemoryType,
    Role,
    SaveOutcome,
)

WriteOutcome = Literal["kept", "repeated", "replaced", "doubtful"]
_WRITE_OUTCOMES: Mapping[str, WriteOutcome] = {kind: kind for kind in get_args(WriteOutcome)}


class ConflictQuestion(BaseModel):
    """A question that waits at `/v1/memory/doubts`."""

    id: UUID
    question: str


class EntryWriteResult(BaseModel):
    """What became of a memory. `repeated` counted it on one that was there; `replaced` took the
    `older` ones out of recall; `doubtful` asks whether it replaces them."""

    outcome: WriteOutcome
    entry: MemoryEntry
    older: list[MemoryEntry]
    doubts: list[ConflictQuestion]

    @classmethod
    def of(cls, outcome: SaveOutcome) -> Self:
        asked = zip(outcome.doubt_ids, outcome.older, strict=False)  # only a doubt has ids
        return cls(
            outcome=outcome.kind,
            entry=MemoryEntry.of(outcome.item),
            older=to_entries(outcome.older),
            doubts=[
                ConflictQuestion(
                    id=each, question=conflict_question(older.content, outcome.item.content)
                )
                for each, older in asked
            ],
        )


def outcome_ids(outcome: SaveOutcome) -> dict[str, tuple[UUID, ...]]:
    """What an answer is made from again when its request is repeated; see `earlier_outcome`."""
    return {
        "entry": (outcome.item.id,),
        "older": tuple(each.id for each in outcome.older),
        "doubts": outcome.doubt_ids,
    }


async def earlier_outcome(done: CompletedRequest, user_id: str, entries: Entries) -> SaveOutcome:
    """The outcome of a request that was done before, with the memories as they are now; an older
    one that was forgotten meanwhile is left out. Raises NotFound where the memory was."""
    assert done.outcome is not None
    item = await entries.read(user_id, done.ids["entry"][0])
    known = await entries.read_several(user_id, done.ids["older"])
    pairs = list(zip_longest(done.ids["older"], done.ids["doubts"]))
    older = tuple(known[old_id] for old_id, _ in pairs if old_id in known)
    asked = tuple(doubt for old_id, doubt in pairs if old_id in known and doubt is not None)
    return SaveOutcome(_WRITE_OUTCOMES[done.outcome], item, older, asked)


class ForgottenEntries(BaseModel):
    """What was forgotten: the memory, what it had replaced, and what was made from it. Until
    `undo_until` it can be restored; null where it cannot be. `erased` says that it is gone already:
    where a cache cannot be reached, what is forgotten for good is gone within seven days."""

    forgotten: list[UUID]
    undo_until: datetime | None
    erased: bool

    @classmethod
    def of(cls, forgotten: ForgetResult) -> Self:
        return cls(
            forgotten=list(forgotten.ids),
            undo_until=forgotten.undo_until,
            erased=forgotten.erased,
        )


router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)
REPEATED_RESPONSE: Responses = {
    200: {
        "model": EntryWriteResult,
        "description": "It was known already, and is counted once more.",
    }
}
_NEXT_OPERATIONS = (
    "read_entry",
    "correct_entry",
    "forget_entry",
    "pin_entry",
    "unpin_entry",
    "restore_entry",
    "revert_entry",
)
CREATED_RESPONSE: Responses = {201: {"links": response_links("/entry/id", *_NEXT_OPERATIONS)}}


class EntryList(BaseModel):
    """A page of memories, the newest first; `next` is the cursor of the page after it."""

    entries: list[MemoryEntry]
    next: str | None


@router.get("/entries", responses=problem_responses(), operation_id="list_entries")
async def list_entries(
    wanted: Annotated[EntryQuery, Query()], asking: CurrentUser, parts: Services
) -> EntryList:
    """List memories, the newest first.

    It works also while memory is off. A filter that is left out asks for nothing.
    """
    page = await parts.memory.entries.browse(asking.user_id, wanted.as_filter(parts.settings))
    after = None if page.next is None else encode_place(page.next)
    return EntryList(entries=to_entries(page.items), next=after)


@router.post(
    "/entries",
    status_code=201,
    responses=problem_responses(409, *BODY_ERRORS) | REPEATED_RESPONSE | CREATED_RESPONSE,
    operation_id="create_entry",
)
async def create_entry(
    new: NewEntry,
    response: Response,
    *,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> EntryWriteResult:
    """Remember something.

    What contradicts an older memory replaces it or, where that is not clear, asks: the outcome says
    which. Refused are secrets (422), what was forgotten within a day (409), and everything while
    memory is off or read-only in the space (409).
    """
    if once.done is not None:
        outcome = await earlier_outcome(once.done, asking.user_id, parts.memory.entries)
    else:
        item = new.as_item(parts.settings, datetime.now(UTC))
        outcome = await parts.memory.remember(asking.user_id, item, origin)
        response.status_code = 200 if outcome.kind == "repeated" else 201
        await once.finish(response.status_code, outcome=outcome.kind, ids=outcome_ids(outcome))
    response.headers["Location"] = f"/v1/memory/entries/{outcome.item.id}"
    response.headers["ETag"] = etag_of(outcome.item)
    return EntryWriteResult.of(outcome)


@router.get(
    "/entries/{id}",
    response_model=EntryDetails,
    responses=problem_responses(404) | not_modified_response(),
    operation_id="read_entry",
)
async def read_entry(
    item_id: EntryId,
    response: Response,
    asking: CurrentUser,
    parts: Services,
    if_none_match: IfNoneMatch = None,
) -> EntryDetails | Response:
    """Look at one memory: its source, its history, what it replaced and what replaced it."""
    details = await parts.memory.entries.details(asking.user_id, item_id)
    history = await parts.memory.audit.of_item(asking.user_id, item_id)
    told = EntryDetails.of_all(details, history)
    tag = etag_of(details.item, told.model_dump_json())
    if matches_etag(tag, if_none_match):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return told


@router.patch(
    "/entries/{id}",
    responses=problem_responses(404, 409, 412, *BODY_ERRORS),
    operation_id="correct_entry",
)
async def correct_entry(
    *,
    item_id: EntryId,
    correction: Correction,
    response: Response,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    if_match: IfMatch = None,
) -> MemoryEntry:
    """Correct a memory.

    With a new text the old one stays as a replaced memory of its own. Where another memory
    contradicts it, that is a question of `GET /v1/memory/doubts`.
    """
    item = await parts.memory.entries.edit(
        asking.user_id,
        item_id,
        correction.as_changes(),
        origin,
        still=partial(is_unchanged, if_match),
    )
    response.headers["ETag"] = etag_of(item)
    return MemoryEntry.of(item)


@router.delete("/entries/{id}", responses=problem_responses(404, 412), operation_id="forget_entry")
async def forget_entry(
    *,
    item_id: EntryId,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    for_good: Annotated[bool, Query(description="Erased now, with no way back.")] = False,
    history: Annotated[
        HistoryChoice, Query(description="What becomes of the conversations it was said in.")
    ] = "redact",
    if_match: IfMatch = None,
) -> ForgottenEntries:
    """Forget a memory, with what it had replaced and what was made from it.

    It is out of every recall at once and erased after a day, until when it can be restored; with
    `for_good` it is erased now, or once the cache can be reached. `history` is what then becomes of
    the conversations: their sentences about it are redacted, the messages that hold one are
    deleted, or all is kept.
    """
    forgotten = await parts.memory.forgetting.forget(
        asking.user_id,
        [item_id],
        origin,
        for_good=for_good,
        history=history,
        still=partial(is_unchanged, if_match),
    )
    return ForgottenEntries.of(forgotten)


@router.post("/entries/{id}/pin", responses=problem_responses(404), operation_id="pin_entry")
async def pin_entry(
    item_id: EntryId, response: Response, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemoryEntry:
    """Pin a memory: it is never trimmed, and replaced only if its user says so."""
    item = await parts.memory.entries.pin(asking.user_id, item_id, origin)
    response.headers["ETag"] = etag_of(item)
    return MemoryEntry.of(item)


@router.delete("/entries/{id}/pin", responses=problem_responses(404), operation_id="unpin_entry")
async def unpin_entry(
    item_id: EntryId, response: Response, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemoryEntry:
    """Take the pin away; the memory stays as important as it was."""
    item = await parts.memory.entries.unpin(asking.user_id, item_id, origin)
    response.headers["ETag"] = etag_of(item)
    return MemoryEntry.of(item)


@router.post(
    "/entries/{id}/restore", responses=problem_responses(404), operation_id="restore_entry"
)
async def restore_entry(
    item_id: EntryId, response: Response, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemoryEntry:
    """Bring a memory back that was forgotten within the day, replaced, or taken out by upkeep.

    What replaced it stays. What upkeep had taken out is saved by hand from now on, so that it does
    not do so again. A memory that is in recall is left as it is. What was erased is gone: 404.
    """
    item = await parts.memory.restore(asking.user_id, item_id, origin)
    response.headers["ETag"] = etag_of(item)
    return MemoryEntry.of(item)


@router.post(
    "/entries/{id}/revert", responses=problem_responses(404, 409), operation_id="revert_entry"
)
async def revert_entry(
    item_id: EntryId, response: Response, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemoryEntry:
    """Take the last correction of a memory's text back.

    The memory has its text, type, dates and pin from before again, and the corrected text is gone.
    Without such a correction: 404. Refused while memory is off or read-only in the space (409).
    """
    item = await parts.memory.entries.undo_edit(asking.user_id, origin, item_id)
    if item is None:
        raise NotFound
    response.headers["ETag"] = etag_of(item)
    return MemoryEntry.of(item)


search_router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)


class SearchRequest(BaseModel):
    """A question to the memory. `min_score` is the least probability that a memory helps,
    `min_confidence` the least that its answer has to be worth; with `explain` the answer says what
    was left out as well, and why."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "Which kayak is mine?"}]}
    )

    query: QuestionText
    space: SpaceName | None = None
    limit: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    types: Annotated[list[MemoryType], Field(max_length=20)] | None = None
    banks: Annotated[list[BankName], Field(max_length=50)] | None = None
    roles: Annotated[list[Role], Field(max_length=10)] | None = None
    min_score: Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)] | None = None
    min_confidence: Confidence = "related"
    explain: Flag = False

    def as_request(self, user_id: str, settings: Settings) -> MemoryQueryRequest:
        """With the settings' own limits where none are named."""
        allowed = settings.memory_banks
        banks = self.banks and [bank_for_search(each, allowed) for each in self.banks]
        return MemoryQueryRequest(
            user_id=user_id,
            query=self.query,
            limit=self.limit or settings.max_results,
            space=self.space or settings.keepsake_space,
            types=self.types or None,
            banks=banks or None,
            roles=self.roles or None,
            min_score=settings.min_relevance if self.min_score is None else self.min_score,
            min_confidence=self.min_confidence,
            explain=self.explain,
        )


@search_router.post(
    "/search", responses=problem_responses(*BODY_ERRORS), operation_id="search_memory"
)
async def search_memory(
    wanted: SearchRequest, asking: CurrentUser, parts: Services, origin: AuditContext
) -> MemoryQueryResponse:
    """Recall what helps with a question, best first, within the token budget.

    It never fails for the memory's sake: `error`, `degraded`, `rate_limited` and `off` say why an
    answer is empty or less than it could be.
    """
    request = wanted.as_request(asking.user_id, parts.settings)
    return await parts.memory.recall(request, correlation_id=origin.correlation_id)
