"""The review of doubtful updates: which of two memories holds?"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from agent.turn.learning import which_holds
from app.rest.answers import WITH_BODY, problems
from app.rest.cursors import From, cursor_of, place_of
from app.rest.depends import Asking, Parts, Written
from app.rest.entry import Entry, entries_of
from app.rest.fields import PageSize
from app.rest.identified import IdentifiedRoute
from app.rest.kept import ids_of, kept_before
from app.rest.scope import InSpace
from app.server.idempotency import Once
from memory.store.memories.doubts import Doubt as StoredDoubt
from memory.store.memories.doubts import Holds
from memory.store.memories.listing import MAX_LISTED, Place

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)
DoubtId = Annotated[UUID, Path(alias="id", description="The id of a question.")]


class Doubt(BaseModel):
    """A question that waits for its answer; both memories hold until then."""

    id: UUID
    older: Entry
    newer: Entry
    question: str
    created_at: datetime

    @classmethod
    def of(cls, doubt: StoredDoubt) -> Self:
        return cls(
            id=doubt.id,
            older=Entry.of(doubt.older),
            newer=Entry.of(doubt.newer),
            question=which_holds(doubt.older.content, doubt.newer.content),
            created_at=doubt.created_at,
        )


class DoubtList(BaseModel):
    """A page of the questions of a space, the oldest first; `next` is the cursor of the page after
    it."""

    doubts: list[Doubt]
    next: str | None


class Answer(BaseModel):
    """Which of the two holds; the other one goes out of recall."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"holds": "newer"}]})

    holds: Holds


class Settled(BaseModel):
    """`kept` where both hold, and `entry` is the newer one; `replaced` where `entry` alone holds,
    and the other one is `out` of recall."""

    outcome: Literal["kept", "replaced"]
    entry: Entry
    out: list[Entry]


@router.get("/doubts", responses=problems(), operation_id="list_doubts")
async def list_doubts(
    space: InSpace,
    asking: Asking,
    parts: Parts,
    cursor: From = None,
    limit: PageSize = MAX_LISTED,
) -> DoubtList:
    """List the questions about memories that may contradict each other, the oldest first."""
    after = None if cursor is None else place_of(cursor)
    found = await parts.memory.doubts.open(asking.user_id, space, after=after, limit=limit + 1)
    page = found[:limit]
    more = Place(created_at=page[-1].created_at, id=page[-1].id) if len(found) > limit else None
    return DoubtList(
        doubts=[Doubt.of(each) for each in page], next=None if more is None else cursor_of(more)
    )


@router.post("/doubts/{id}", responses=problems(404, 409, *WITH_BODY), operation_id="answer_doubt")
async def answer_doubt(
    doubt_id: DoubtId, answer: Answer, *, asking: Asking, parts: Parts, origin: Written, once: Once
) -> Settled:
    """Say which of two memories holds: the newer, the older, or both.

    What goes out of recall by that can be restored.
    """
    if once.done is not None:
        outcome = await kept_before(once.done, asking.user_id, parts.memory.entries)
    else:
        outcome = await parts.memory.doubts.answer(
            asking.user_id, doubt_id, holds=answer.holds, origin=origin
        )
        await once.finish(200, outcome=outcome.kind, ids=ids_of(outcome))
    return Settled(
        outcome="replaced" if outcome.kind == "replaced" else "kept",
        entry=Entry.of(outcome.item),
        out=entries_of(outcome.older),
    )
