"""Errors as problem details (RFC 9457): one table says which status each of them has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from app.server.correlation import correlation_id
from memory import errors

MEDIA_TYPE = "application/problem+json"
STATUS: Mapping[type[errors.KeepsakeError], HTTPStatus] = {
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.MessageRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.SecretRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotSignedIn: HTTPStatus.UNAUTHORIZED,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.MemoryOff: HTTPStatus.CONFLICT,
    errors.Incognito: HTTPStatus.CONFLICT,
    errors.RecentlyForgotten: HTTPStatus.CONFLICT,
    errors.DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ServiceStartFailed: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.SchemaOutdated: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ReplyFailed: HTTPStatus.BAD_GATEWAY,
}
UNEXPECTED = "Something went wrong that Keepsake did not expect. Its log says more by this id."
_log = structlog.get_logger(__name__)


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it. `detail` is a sentence for a person; the correlation
    id finds the request in the log; `invalid` names the fields that were not usable."""

    type: str = Field(examples=["urn:keepsake:not-found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str
    instance: str
    correlation_id: str
    invalid: list[dict[str, str]] | None = None


def install(app: FastAPI) -> None:
    """Answers every error of the application with a problem."""
    app.add_exception_handler(errors.KeepsakeError, _keepsake)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def problem(request: Request, status: int, kind: str, detail: str, **more: Any) -> JSONResponse:
    """`kind` is the error's name in words with dashes."""
    headers = more.pop("headers", None)
    told = Problem(
        type=f"urn:keepsake:{kind}",
        title=kind.replace("-", " ").capitalize(),
        status=status,
        detail=detail,
        instance=request.url.path,
        correlation_id=str(correlation_id(request)),
        **more,
    )
    content = told.model_dump(exclude_none=True)
    return JSONResponse(content, status, headers, media_type=MEDIA_TYPE)


def status_of(error: errors.KeepsakeError) -> HTTPStatus:
    """Of the nearest class of it that the table names; 500 where it names none."""
    known = (STATUS[each] for each in type(error).__mro__ if each in STATUS)
    return next(known, HTTPStatus.INTERNAL_SERVER_ERROR)


def kind_of(error: errors.KeepsakeError) -> str:
    """ "NotFound" is "not-found"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()


async def _keepsake(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.KeepsakeError)
    return problem(request, status_of(error), kind_of(error), str(error))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """Names the fields; never repeats what was sent, which may be private."""
    assert isinstance(error, RequestValidationError)
    fields = [
        {"where": ".".join(map(str, each["loc"])), "why": str(each["msg"])}
        for each in error.errors()
    ]
    said = "; ".join(f"{each['where']}: {each['why']}" for each in fields)
    return problem(request, 422, "invalid-request", f"Not usable: {said}.", invalid=fields)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    return problem(request, error.status_code, title, str(error.detail), headers=error.headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    _log.error("unexpected", exc_info=error)
    return problem(request, 500, "unexpected", UNEXPECTED)
