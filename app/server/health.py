"""Whether the server lives, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from app.rest.depends import Parts

router = APIRouter(tags=["operation"])


class Health(BaseModel):
    status: str = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """Answers as long as the process does; never looks at the database."""
    return Health()


@router.get("/readyz")
async def readyz(parts: Parts) -> Health:
    """503 where the database cannot be reached."""
    await parts.ready()
    return Health()
