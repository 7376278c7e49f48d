"""Errors as problem details (RFC 9457): one table says which status each of them has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from app.identity.cookies import drop_session
from app.identity.credentials import has_stale_session
from app.server import unusable
from app.server.correlation import correlation_id
from app.server.methods import is_taken, methods_of
from app.web.lost import is_person, lost_page
from memory import errors

MEDIA_TYPE = "application/problem+json"
STATUS: Mapping[type[errors.KeepsakeError], HTTPStatus] = {
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
_log = structlog.get_logger(__name__)


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


def described(error: Exception, instance: str, request_id: object) -> Problem:
    """An error as it is told to whoever caused it. What nobody expected is told without a word of
    it, and logged."""
    about = {"instance": instance, "correlation_id": str(request_id)}
    if not isinstance(error, errors.KeepsakeError):
        _log.error("unexpected", exc_info=error)
        return _problem("unexpected", status=500, detail=UNEXPECTED, **about)
    wait = error.fields.get("retry_after")
    return _problem(
        kind_of(error), status=int(status_of(error)), detail=str(error), retry_after=wait, **about
    )


def install(app: FastAPI) -> None:
    """Answers every error that a route can raise with a problem; see `Crashes` for the rest."""
    app.add_exception_handler(errors.KeepsakeError, _keepsake)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def problem(request: Request, status: int, kind: str, detail: str, **more: Any) -> JSONResponse:
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
    known = (STATUS[each] for each in type(error).__mro__ if each in STATUS)
    return next(known, HTTPStatus.INTERNAL_SERVER_ERROR)


def kind_of(error: errors.KeepsakeError) -> str:
    """ "NotFound" is "not-found"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()


def told(request: Request, error: errors.KeepsakeError) -> JSONResponse:
    """The error as an answer; `retry_after` among its fields becomes the header."""
    said = described(error, request.url.path, correlation_id(request))
    headers = {} if said.retry_after is None else {"Retry-After": str(said.retry_after)}
    if isinstance(error, errors.NotSignedIn):
        headers["WWW-Authenticate"] = "Bearer"
    answer = _answer(said, headers)
    if has_stale_session(request):
        drop_session(answer, request)
    return answer


def unexpected(request: Request, error: Exception) -> JSONResponse:
    """An answer that says nothing of the error; the log has its trace."""
    return _answer(described(error, request.url.path, correlation_id(request)))


def _problem(kind: str, **fields: Any) -> Problem:
    title = kind.replace("-", " ").capitalize()
    return Problem(type=f"urn:keepsake:{kind}", title=title, **fields)


def _answer(said: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    content = said.model_dump(exclude_none=True)
    return JSONResponse(content, said.status, headers, media_type=MEDIA_TYPE)


async def _keepsake(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.KeepsakeError)
    return told(request, error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """Names the fields; never repeats what was sent, which may be private."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    return problem(
        request, 422, "invalid-request", unusable.sentence(found), invalid=unusable.named(found)
    )


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND and is_person(request):
        return lost_page()
    kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    said = _ROUTING.get(error.status_code)
    detail = str(error.detail) if said is None else said.format(method=request.method)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _allowed(request, headers)
    return problem(request, error.status_code, kind, detail, headers=headers)


def _allowed(request: Request, said: Mapping[str, str]) -> str:
    """Of all routes of the path: the framework names the methods of one. A route that was given
    this method and refused it said itself which it takes."""
    routes = request.app.routes
    if is_taken(request, routes, request.method):
        return said["Allow"]
    return ", ".join(methods_of(request, routes))
