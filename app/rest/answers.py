"""The answers besides the good one that a route can give: one table, for the OpenAPI document."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeAlias

from app.server.problems import MEDIA_TYPE

Responses: TypeAlias = dict[int | str, dict[str, Any]]

_SCHEMA = {"$ref": "#/components/schemas/Problem"}
_SAID = {
    HTTPStatus.BAD_REQUEST: "The body is no JSON that can be read.",
    HTTPStatus.UNAUTHORIZED: "The credential is missing, wrong, expired or revoked.",
    HTTPStatus.FORBIDDEN: "The request came from a page of another site.",
    HTTPStatus.NOT_FOUND: "There is nothing of that id (any more), or it is somebody else's.",
    HTTPStatus.REQUEST_TIMEOUT: "The body did not come in time.",
    HTTPStatus.CONFLICT: "It cannot be done as things are; the detail says why.",
    HTTPStatus.PRECONDITION_FAILED: "It was changed since it was read; read it again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is larger than is taken.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Something in the request is not usable; `invalid` names it.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests in this minute; see Retry-After.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database cannot be reached; try again in a moment.",
    HTTPStatus.INSUFFICIENT_STORAGE: "There is no room for the file on the disk.",
}
_ALWAYS = (401, 403, 422, 429, 503)
WITH_BODY = (400, 408, 413)


def problems(*statuses: int) -> Responses:
    """Those named, and those that any request of a user can get."""
    return {status: _described(HTTPStatus(status)) for status in sorted({*_ALWAYS, *statuses})}


def unchanged() -> Responses:
    """The answer to an If-None-Match that still holds."""
    return {304: {"description": "It is as it was when that tag was given; no body."}}


def links(pointer: str, *operations: str) -> dict[str, Any]:
    """What can be done next with the id at that place of the answer."""
    parameters = {"id": f"$response.body#{pointer}"}
    return {name: {"operationId": name, "parameters": parameters} for name in operations}


def _described(status: HTTPStatus) -> dict[str, Any]:
    return {"description": _SAID[status], "content": {MEDIA_TYPE: {"schema": _SCHEMA}}}
