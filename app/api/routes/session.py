"""`/v1/me` and `/v1/session`: who is asking, and how a browser signs in and out."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from app.api.auth.credentials import MAX_CREDENTIAL_CHARS
from app.api.auth.sessions import delete_session_cookie, refuse_cross_site, set_session_cookie
from app.api.dependencies import AuthenticatedRoute, CurrentUser, Services
from app.api.openapi import BODY_ERRORS, NO_CREDENTIALS, problem_responses
from memory.errors import NoSignIn

me_router = APIRouter(prefix="/v1", tags=["me"], route_class=AuthenticatedRoute)


class Me(BaseModel):
    """`offline` says that no model is configured: answers quote, and invent nothing."""

    user_id: str
    space: str
    auth_mode: str
    offline: bool
    version: str


@me_router.get("/me", responses=problem_responses(), operation_id="read_me")
async def me(caller: CurrentUser, parts: Services) -> Me:
    """Who is asking."""
    settings = parts.settings
    return Me(
        user_id=caller.user_id,
        space=settings.keepsake_space,
        auth_mode=settings.auth_mode,
        offline=not settings.has_model,
        version=version("keepsake"),
    )


router = APIRouter(prefix="/v1", tags=["me"])


class SignInRequest(BaseModel):
    """An API key, or a token of the identity provider."""

    model_config = ConfigDict(extra="forbid")

    credential: Annotated[SecretStr, Field(min_length=1, max_length=MAX_CREDENTIAL_CHARS)]


class SessionInfo(BaseModel):
    """Who is signed in, and until when."""

    user_id: str
    expires_at: datetime


@router.post(
    "/session",
    responses=problem_responses(404, *BODY_ERRORS),
    operation_id="sign_in",
    openapi_extra=NO_CREDENTIALS,
)
async def sign_in(
    body: SignInRequest, request: Request, response: Response, parts: Services
) -> SessionInfo:
    """Sign in.

    The answer sets a cookie that scripts cannot read and that holds no credential; it is good for
    twelve hours at most, and no longer than what it was begun with. 404 where AUTH_MODE is local or
    proxy.
    """
    refuse_cross_site(request)
    if parts.signing_in is None:
        raise NoSignIn(mode=parts.settings.auth_mode)
    session, sealed = await parts.signing_in.begin_session(
        request, body.credential, datetime.now(UTC)
    )
    set_session_cookie(response, request, session, sealed)
    return SessionInfo(user_id=session.user_id, expires_at=session.expires_at)


@router.delete(
    "/session",
    status_code=204,
    responses=problem_responses(),
    operation_id="sign_out",
    openapi_extra=NO_CREDENTIALS,
)
async def sign_out(request: Request, response: Response, parts: Services) -> None:
    """Sign out.

    The session is over, also for whoever has a copy of its cookie, and the browser forgets it. 503
    where that could not be written down: you are still signed in. Revoking the key that it was
    begun with ends every session of that key.
    """
    refuse_cross_site(request)
    if parts.signing_in is not None:
        await parts.signing_in.end_session(request)
    delete_session_cookie(response, request)
