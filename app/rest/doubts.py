"""The review of doubtful updates: does the newer memory replace the older one?"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from agent.learning import which_holds
from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts, Written
from app.rest.entry import Entry, entries_of
from app.rest.fields import YesNo
from app.rest.kept import ids_of, kept_before
from app.rest.scope import InSpace
from app.server.idempotency import Once
from memory.store.doubts import Doubt as StoredDoubt

router = APIRouter(prefix="/v1/memory", tags=["memory"])
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
    doubts: list[Doubt]


class Answer(BaseModel):
    """`replaces`: the older memory goes out of recall. Otherwise both hold."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"replaces": True}]})

    replaces: YesNo


class Settled(BaseModel):
    """`kept` where both hold; `replaced` where the `older` one is out of recall now."""

    outcome: Literal["kept", "replaced"]
    entry: Entry
    older: list[Entry]


@router.get("/doubts", responses=problems(), operation_id="list_doubts")
async def list_doubts(space: InSpace, asking: Asking, parts: Parts) -> DoubtList:
    """List the questions about memories that may contradict each other, the oldest first."""
    doubts = await parts.memory.doubts.open(asking.user_id, space)
    return DoubtList(doubts=[Doubt.of(each) for each in doubts])


@router.post("/doubts/{id}", responses=problems(404, 409, *WITH_BODY), operation_id="answer_doubt")
async def answer_doubt(
    doubt_id: DoubtId, answer: Answer, *, asking: Asking, parts: Parts, origin: Written, once: Once
) -> Settled:
    """Say whether the newer memory replaces the older one.

    The replacement can be undone by restoring the older one.
    """
    if once.done is not None:
        outcome = await kept_before(once.done, asking.user_id, parts.memory.entries)
    else:
        outcome = await parts.memory.doubts.answer(
            asking.user_id, doubt_id, replaced=answer.replaces, origin=origin
        )
        await once.finish(200, outcome=outcome.kind, ids=ids_of(outcome))
    return Settled(
        outcome="replaced" if outcome.kind == "replaced" else "kept",
        entry=Entry.of(outcome.item),
        older=entries_of(outcome.older),
    )
