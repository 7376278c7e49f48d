"""Whether the server lives, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from app.rest.answers import Responses, problems
from app.rest.depends import Parts
from app.server.openapi.credentials import NONE_NEEDED

router = APIRouter(tags=["operation"])
NOT_READY: Responses = {503: problems()[503]}


class Health(BaseModel):
    """All is well; an answer that is not a problem says no more."""

    status: str = "ok"


@router.get("/healthz", operation_id="read_health", openapi_extra=NONE_NEEDED)
async def healthz() -> Health:
    """Say whether the process lives.

    It never looks at the database.
    """
    return Health()


@router.get(
    "/readyz", responses=NOT_READY, operation_id="read_readiness", openapi_extra=NONE_NEEDED
)
async def readyz(parts: Parts) -> Health:
    """Say whether requests can be answered.

    503 where the database cannot be reached, and while the server is being stopped.
    """
    await parts.ready()
    return Health()
