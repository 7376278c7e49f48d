"""The review of doubtful updates: which of two memories holds?"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from agent.turn.background import conflict_question
from app.api.dependencies import (
    AuditContext,
    AuthenticatedRoute,
    CurrentSpace,
    CurrentUser,
    Services,
)
from app.api.idempotency import Idempotent
from app.api.openapi import BODY_ERRORS, problem_responses
from app.api.routes.memories import earlier_outcome, outcome_ids
from app.schemas.fields import PageSize
from app.schemas.memories import MemoryEntry, to_entries
from app.schemas.pagination import CursorParam, decode_place, encode_place
from memory.store.conflicts import ConflictAnswer
from memory.store.conflicts import PendingConflict as StoredDoubt
from memory.store.memories import MAX_LISTED, PageCursor

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=AuthenticatedRoute)
ConflictId = Annotated[UUID, Path(alias="id", description="The id of a question.")]


class MemoryConflict(BaseModel):
    """A question that waits for its answer; both memories hold until then."""

    id: UUID
    older: MemoryEntry
    newer: MemoryEntry
    question: str
    created_at: datetime

    @classmethod
    def of(cls, doubt: StoredDoubt) -> Self:
        return cls(
            id=doubt.id,
            older=MemoryEntry.of(doubt.older),
            newer=MemoryEntry.of(doubt.newer),
            question=conflict_question(doubt.older.content, doubt.newer.content),
            created_at=doubt.created_at,
        )


class MemoryConflictList(BaseModel):
    """A page of the questions of a space, the oldest first; `next` is the cursor of the page after
    it."""

    doubts: list[MemoryConflict]
    next: str | None


class ConflictAnswerRequest(BaseModel):
    """Which of the two holds; the other one goes out of recall."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"holds": "newer"}]})

    holds: ConflictAnswer


class ConflictResolution(BaseModel):
    """`kept` where both hold, and `entry` is the newer one; `replaced` where `entry` alone holds,
    and the other one is `out` of recall."""

    outcome: Literal["kept", "replaced"]
    entry: MemoryEntry
    out: list[MemoryEntry]


@router.get("/doubts", responses=problem_responses(), operation_id="list_doubts")
async def list_doubts(
    space: CurrentSpace,
    asking: CurrentUser,
    parts: Services,
    cursor: CursorParam = None,
    limit: PageSize = MAX_LISTED,
) -> MemoryConflictList:
    """List the questions about memories that may contradict each other, the oldest first."""
    after = None if cursor is None else decode_place(cursor)
    found = await parts.memory.doubts.open(asking.user_id, space, after=after, limit=limit + 1)
    page = found[:limit]
    more = (
        PageCursor(created_at=page[-1].created_at, id=page[-1].id) if len(found) > limit else None
    )
    return MemoryConflictList(
        doubts=[MemoryConflict.of(each) for each in page],
        next=None if more is None else encode_place(more),
    )


@router.post(
    "/doubts/{id}", responses=problem_responses(404, 409, *BODY_ERRORS), operation_id="answer_doubt"
)
async def answer_doubt(
    doubt_id: ConflictId,
    answer: ConflictAnswerRequest,
    *,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> ConflictResolution:
    """Say which of two memories holds: the newer, the older, or both.

    What goes out of recall by that can be restored.
    """
    if once.done is not None:
        outcome = await earlier_outcome(once.done, asking.user_id, parts.memory.entries)
    else:
        outcome = await parts.memory.doubts.answer(
            asking.user_id, doubt_id, holds=answer.holds, origin=origin
        )
        await once.finish(200, outcome=outcome.kind, ids=outcome_ids(outcome))
    return ConflictResolution(
        outcome="replaced" if outcome.kind == "replaced" else "kept",
        entry=MemoryEntry.of(outcome.item),
        out=to_entries(outcome.older),
    )
