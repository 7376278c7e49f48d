"""`GET /metrics`: what was counted, as Prometheus reads it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from app.identity.local import LocalIdentifier
from app.rest.answers import problems
from app.rest.depends import Parts, caller
from app.server.openapi.credentials import ALSO_WITHOUT
from memory.errors import NotThisMachine

router = APIRouter(tags=["operation"])


@router.get(
    "/metrics",
    response_class=Response,
    operation_id="read_metrics",
    openapi_extra=ALSO_WITHOUT,
    responses=problems() | {200: {"description": "Counters.", "content": {"text/plain": {}}}},
)
async def metrics(request: Request, parts: Parts) -> Response:
    """Read the counters, as Prometheus takes them.

    For a scraper on this machine, or with a credential. Nothing in them is of a user.
    """
    try:
        await LocalIdentifier(parts.settings).identify(request)
    except NotThisMachine:
        await caller(request, parts)
    return Response(generate_latest(parts.metrics.registry), media_type=CONTENT_TYPE_LATEST)
