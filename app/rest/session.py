"""`/v1/session`: a browser signs in with a credential, once, and out again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from app.identity.cookies import drop_session, set_session
from app.identity.credentials import MAX_CREDENTIAL_CHARS
from app.identity.cross_site import refuse_cross_site
from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Parts
from app.server.openapi.credentials import NONE_NEEDED
from memory.errors import NoSignIn

router = APIRouter(prefix="/v1", tags=["me"])


class SignIn(BaseModel):
    """An API key, or a token of the identity provider."""

    model_config = ConfigDict(extra="forbid")

    credential: Annotated[SecretStr, Field(min_length=1, max_length=MAX_CREDENTIAL_CHARS)]


class SignedIn(BaseModel):
    """Who is signed in, and until when."""

    user_id: str
    expires_at: datetime


@router.post(
    "/session",
    responses=problems(404, *WITH_BODY),
    operation_id="sign_in",
    openapi_extra=NONE_NEEDED,
)
async def sign_in(body: SignIn, request: Request, response: Response, parts: Parts) -> SignedIn:
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
    set_session(response, request, session, sealed)
    return SignedIn(user_id=session.user_id, expires_at=session.expires_at)


@router.delete(
    "/session",
    status_code=204,
    responses=problems(),
    operation_id="sign_out",
    openapi_extra=NONE_NEEDED,
)
async def sign_out(request: Request, response: Response, parts: Parts) -> None:
    """Sign out.

    The session is over, also for whoever has a copy of its cookie, and the browser forgets it. 503
    where that could not be written down: you are still signed in. Revoking the key that it was
    begun with ends every session of that key.
    """
    refuse_cross_site(request)
    if parts.signing_in is not None:
        await parts.signing_in.end_session(request)
    drop_session(response, request)
