"""Whether the server lives, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from app.rest.answers import Responses, problems
from app.rest.depends import Parts

router = APIRouter(tags=["operation"])
NOT_READY: Responses = {503: problems()[503]}


class Health(BaseModel):
    status: str = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """Answers as long as the process does; never looks at the database."""
    return Health()


@router.get("/readyz", responses=NOT_READY)
async def readyz(parts: Parts) -> Health:
    """503 where the database cannot be reached, and while the server is being stopped."""
    await parts.ready()
    return Health()
