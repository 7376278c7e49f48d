"""Whether the server lives, whether it can answer, and what was counted."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel

from app.api.auth.modes import LocalIdentifier
from app.api.dependencies import Services, authenticate
from app.api.openapi import NO_CREDENTIALS, OPTIONAL_CREDENTIALS, Responses, problem_responses
from memory.errors import NotThisMachine

router = APIRouter(tags=["operation"])
NOT_READY: Responses = {503: problem_responses()[503]}


class Health(BaseModel):
    """All is well; an answer that is not a problem says no more."""

    status: str = "ok"


@router.get("/healthz", operation_id="read_health", openapi_extra=NO_CREDENTIALS)
async def healthz() -> Health:
    """Say whether the process lives.

    It never looks at the database.
    """
    return Health()


@router.get(
    "/readyz", responses=NOT_READY, operation_id="read_readiness", openapi_extra=NO_CREDENTIALS
)
async def readyz(parts: Services) -> Health:
    """Say whether requests can be answered.

    503 where the database cannot be reached, and while the server is being stopped.
    """
    await parts.ready()
    return Health()


@router.get(
    "/metrics",
    response_class=Response,
    operation_id="read_metrics",
    openapi_extra=OPTIONAL_CREDENTIALS,
    responses=problem_responses()
    | {200: {"description": "Counters.", "content": {"text/plain": {}}}},
)
async def metrics(request: Request, parts: Services) -> Response:
    """Read the counters, as Prometheus takes them.

    For a scraper on this machine, or with a credential. Nothing in them is of a user.
    """
    try:
        await LocalIdentifier(parts.settings).identify(request)
    except NotThisMachine:
        await authenticate(request, parts)
    return Response(generate_latest(parts.metrics.registry), media_type=CONTENT_TYPE_LATEST)
