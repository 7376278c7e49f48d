"""`GET /v1/me`: who the credential says is asking, and what answers."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter
from pydantic import BaseModel

from app.rest.answers import problems
from app.rest.depends import Asking, Parts
from app.rest.identified import IdentifiedRoute

router = APIRouter(prefix="/v1", tags=["me"], route_class=IdentifiedRoute)


class Me(BaseModel):
    """`offline` says that no model is configured: answers quote, and invent nothing."""

    user_id: str
    space: str
    auth_mode: str
    offline: bool
    version: str


@router.get("/me", responses=problems(), operation_id="read_me")
async def me(caller: Asking, parts: Parts) -> Me:
    """Who is asking."""
    settings = parts.settings
    return Me(
        user_id=caller.user_id,
        space=settings.keepsake_space,
        auth_mode=settings.auth_mode,
        offline=not settings.has_model,
        version=version("keepsake"),
    )
