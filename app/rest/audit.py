"""What was done with the user's memory, and the proof that something was forgotten."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from app.rest.answers import problems
from app.rest.audited import Audited, audited
from app.rest.cursors import From, cursor_of_number, number_of
from app.rest.depends import Asking, Parts
from app.rest.entry import EntryId
from app.rest.fields import PageSize
from app.rest.identified import IdentifiedRoute
from memory.controls.proof import Proof as StoredProof
from memory.controls.readable import proof_text

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)


class AuditWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cursor: From = None
    limit: PageSize = 50


class AuditLog(BaseModel):
    """A page of the log, the newest entry first; `next` is the cursor of the page after it."""

    entries: list[Audited]
    next: str | None


class Proof(BaseModel):
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


@router.get("/audit", responses=problems(), operation_id="list_audit")
async def list_audit(
    wanted: Annotated[AuditWanted, Query()], asking: Asking, parts: Parts
) -> AuditLog:
    """List what was done with your memory: who, when and what, never its words."""
    before = None if wanted.cursor is None else number_of(wanted.cursor)
    found = await parts.memory.audit.read(asking.user_id, wanted.limit + 1, before)
    page = found[: wanted.limit]
    after = cursor_of_number(page[-1].id) if len(found) > wanted.limit else None
    return AuditLog(entries=audited(page), next=after)


@router.get("/entries/{id}/proof", responses=problems(404), operation_id="prove_forgotten")
async def prove_forgotten(item_id: EntryId, asking: Asking, parts: Parts) -> Proof:
    """Prove that a memory was forgotten: what was removed, and searches that find nothing of it.

    404 for what was never forgotten, or was brought back.
    """
    return Proof.of(await parts.memory.forgetting.prove(asking.user_id, item_id))
