"""Errors as problem details (RFC 9457): one table says which status each of them has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import anyio
import structlog
from fastapi import FastAPI, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth.credentials import has_stale_session
from app.api.auth.sessions import delete_session_cookie
from app.api.middleware import correlation_id
from app.schemas.fields import invalid_fields, invalid_fields_text
from app.web.pages import not_found_page, wants_html_page
from memory import errors

# HEAD is what GET is; see `app.api.middleware`.
ROUTED_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_log = structlog.get_logger(__name__)


def allowed_methods(request: Request, routes: Sequence[BaseRoute]) -> list[str]:
    """Those that a route of the request's path takes, always in the same order."""
    taken = [method for method in ROUTED_METHODS if is_allowed(request, routes, method)]
    return ["GET", "HEAD", *taken[1:]] if taken[:1] == ["GET"] else taken


def is_allowed(request: Request, routes: Sequence[BaseRoute], method: str) -> bool:
    path = request.scope["path"]
    scope = {"type": "http", "path": path, "root_path": "", "headers": [], "method": method}
    return any(each.matches(scope)[0] is Match.FULL for each in routes)


MEDIA_TYPE = "application/problem+json"
STATUS_BY_ERROR: Mapping[type[errors.KeepsakeError], HTTPStatus] = {
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.MessageRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.SecretRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotSignedIn: HTTPStatus.UNAUTHORIZED,
    errors.CrossSite: HTTPStatus.FORBIDDEN,
    errors.NotThisMachine: HTTPStatus.FORBIDDEN,
    errors.NoSignIn: HTTPStatus.NOT_FOUND,
    errors.NoSuchKey: HTTPStatus.NOT_FOUND,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.ChangedMeanwhile: HTTPStatus.PRECONDITION_FAILED,
    errors.MemoryOff: HTTPStatus.CONFLICT,
    errors.EpisodeEnded: HTTPStatus.CONFLICT,
    errors.EpisodesOff: HTTPStatus.CONFLICT,
    errors.Incognito: HTTPStatus.CONFLICT,
    errors.RecentlyForgotten: HTTPStatus.CONFLICT,
    errors.KeyReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.StillUnderWay: HTTPStatus.CONFLICT,
    errors.TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    errors.BodyTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.BodyTooSlow: HTTPStatus.REQUEST_TIMEOUT,
    errors.NoRoom: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.TurnUnderWay: HTTPStatus.CONFLICT,
    errors.NotTheLastTurn: HTTPStatus.CONFLICT,
    errors.TooManyTurns: HTTPStatus.TOO_MANY_REQUESTS,
    errors.TooBusy: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.BeingErased: HTTPStatus.CONFLICT,
    errors.ServerStopping: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.TooCrowded: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.CopiesRemain: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.EmbeddingOutdated: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ServiceStartFailed: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.SchemaOutdated: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.SigningKeysUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ReplyFailed: HTTPStatus.BAD_GATEWAY,
}
UNEXPECTED = "Something went wrong that Keepsake did not expect. Its log says more by this id."
# What the framework itself says in two words.
_ROUTING: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "The body cannot be read. Send JSON in UTF-8, and all of it.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address; /openapi.json lists what there is.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address takes no {method}; Allow lists what it takes.",
}


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it. `detail` is a sentence for a person; the correlation
    id finds the request in the log; `invalid` names the fields that were not usable; after
    `retry_after` seconds it may go better."""

    type: str = Field(examples=["urn:keepsake:not-found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str
    instance: str
    correlation_id: str
    invalid: list[dict[str, str]] | None = None
    retry_after: int | None = None


def describe_error(error: Exception, instance: str, request_id: object) -> Problem:
    """An error as it is told to whoever caused it. What nobody expected is told without a word of
    it, and logged."""
    about = {"instance": instance, "correlation_id": str(request_id)}
    if not isinstance(error, errors.KeepsakeError):
        _log.error("unexpected", exc_info=error)
        return _problem("unexpected", status=500, detail=UNEXPECTED, **about)
    wait = error.fields.get("retry_after")
    return _problem(
        problem_kind(error),
        status=int(status_of(error)),
        detail=str(error),
        retry_after=wait,
        **about,
    )


def install_error_handlers(app: FastAPI) -> None:
    """Answers every error that a route can raise with a problem; see `ErrorMiddleware` for the
    rest."""
    app.add_exception_handler(errors.KeepsakeError, _handle_keepsake_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)


def problem_response(
    request: Request, status: int, kind: str, detail: str, **more: Any
) -> JSONResponse:
    """`kind` is the error's name in words with dashes."""
    headers = more.pop("headers", None)
    said = _problem(
        kind,
        status=int(status),
        detail=detail,
        instance=request.url.path,
        correlation_id=str(correlation_id(request)),
        **more,
    )
    return _answer(said, headers)


def status_of(error: errors.KeepsakeError) -> HTTPStatus:
    """Of the nearest class of it that the table names; 500 where it names none."""
    known = (STATUS_BY_ERROR[each] for each in type(error).__mro__ if each in STATUS_BY_ERROR)
    return next(known, HTTPStatus.INTERNAL_SERVER_ERROR)


def problem_kind(error: errors.KeepsakeError) -> str:
    """ "NotFound" is "not-found"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()


def error_response(request: Request, error: errors.KeepsakeError) -> JSONResponse:
    """The error as an answer; `retry_after` among its fields becomes the header."""
    said = describe_error(error, request.url.path, correlation_id(request))
    headers = {} if said.retry_after is None else {"Retry-After": str(said.retry_after)}
    if isinstance(error, errors.NotSignedIn):
        headers["WWW-Authenticate"] = "Bearer"
    answer = _answer(said, headers)
    if has_stale_session(request):
        delete_session_cookie(answer, request)
    return answer


def unexpected_response(request: Request, error: Exception) -> JSONResponse:
    """An answer that says nothing of the error; the log has its trace."""
    return _answer(describe_error(error, request.url.path, correlation_id(request)))


def _problem(kind: str, **fields: Any) -> Problem:
    title = kind.replace("-", " ").capitalize()
    return Problem(type=f"urn:keepsake:{kind}", title=title, **fields)


def _answer(said: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    content = said.model_dump(exclude_none=True)
    return JSONResponse(content, said.status, headers, media_type=MEDIA_TYPE)


async def _handle_keepsake_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.KeepsakeError)
    return error_response(request, error)


async def _handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    """Names the fields; never repeats what was sent, which may be private."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    return problem_response(
        request, 422, "invalid-request", invalid_fields_text(found), invalid=invalid_fields(found)
    )


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND and wants_html_page(request):
        return not_found_page()
    kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    said = _ROUTING.get(error.status_code)
    detail = str(error.detail) if said is None else said.format(method=request.method)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _allowed(request, headers)
    return problem_response(request, error.status_code, kind, detail, headers=headers)


def _allowed(request: Request, said: Mapping[str, str]) -> str:
    """Of all routes of the path: the framework names the methods of one. A route that was given
    this method and refused it said itself which it takes."""
    routes = request.app.routes
    if is_allowed(request, routes, request.method):
        return said["Allow"]
    return ", ".join(allowed_methods(request, routes))


class ErrorMiddleware:
    """Answers an exception that no handler knows; its trace goes to the log alone. Starlette's own
    answer would be made outside of our headers. Where the answer had begun, the connection is
    broken off, so that nobody takes the half for the whole."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def seen(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, seen)
        except Exception as error:
            if begun and is_client_disconnect(error):
                return
            answer = unexpected_response(Request(scope), error)
            if begun:
                raise
            await answer(scope, receive, send)


def is_client_disconnect(error: BaseException) -> bool:
    """Whether a stream had nobody any more to be read by: FastAPI's keep-alive passes each event on
    through a stream of its own, which is closed when the client goes."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_client_disconnect, error.exceptions))
    return isinstance(error, anyio.BrokenResourceError | anyio.ClosedResourceError)
