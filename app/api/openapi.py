"""The OpenAPI document beside the routes: how to ask, credentials, errors, and the events of a
stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from pydantic import BaseModel

from app.api.auth.caller import AuthMode
from app.api.auth.sessions import COOKIE, PLAIN_COOKIE
from app.api.events import EVENTS, EventData
from app.api.problems import MEDIA_TYPE

INTRODUCTION = """\
A person's conversations with an assistant that remembers, and the memory itself: to be searched,
read, changed, exported and forgotten.

**Whose memory.** The user is the one of the credential, and nothing in a request can name another.
The server has one mode (AUTH_MODE; `GET /v1/me` tells it): `local` has one user, who is whoever
sits at the machine, and takes no credential; `token` takes API keys and `jwt` the tokens of an
identity provider, both as `Authorization: Bearer …`; in `proxy` a proxy in front signs people in. A
browser signs in at `POST /v1/session` and then has a cookie. What is another user's is answered as
what is not there: 404.

**The stream.** `POST /v1/chat` answers with server-sent events, numbered from 1: `turn`, `text`,
`tool`, `done`, `error`, `learned` and, always last, `end`. The turn is the server's: where a
connection breaks, `GET /v1/chat/{turn_id}/events` with `Last-Event-ID` goes on with it.

**Lists** that can be long have a `next`: the `cursor` of the next page, null on the last one.
**Errors** are problem details (RFC 9457) with a sentence for a person and the `correlation_id` that
finds the request in the log; every answer has that id as a header. **A POST** with an
`Idempotency-Key` can be sent again without being done twice.

**MCP.** The same memory as tools for a model is at `POST /mcp` (Model Context Protocol, streamable
HTTP, without sessions), with the same credentials.
"""
TAGS: Sequence[Mapping[str, str]] = (
    {"name": "chat", "description": "A message, and its answer as a stream that can be resumed."},
    {"name": "conversations", "description": "What was said, and which memories it rested on."},
    {
        "name": "memory",
        "description": "Memories and all that is done with them: kept, found, changed, pinned, "
        "forgotten and brought back, exported and erased; and whether anything is remembered.",
    },
    {
        "name": "episodes",
        "description": "Tasks with what was done and how it ended, to be learned from; where they "
        "are switched on (EPISODES_ENABLED).",
    },
    {"name": "me", "description": "Who is asking, and the session of a browser."},
    {"name": "operation", "description": "For whoever runs the server: health and counters."},
)
# Relative: it is wherever the document was read.
SERVERS: Sequence[Mapping[str, Any]] = ({"url": "/", "description": "This server."},)


Security = Sequence[Mapping[str, Sequence[str]]]
_BEARER, _SESSION = "bearer", "session"
_SCHEMES: Mapping[str, Mapping[str, str]] = {
    _BEARER: {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key (`python -m app keys add`) where AUTH_MODE is token; a token of "
        "the identity provider where it is jwt.",
    },
    _SESSION: {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The session of a browser, from `POST /v1/session`. Over plain HTTP on the "
        f"server's own machine the cookie is called `{PLAIN_COOKIE}`.",
    },
}
# For `openapi_extra` of the routes that differ from what the mode asks.
NO_CREDENTIALS: dict[str, Any] = {"security": []}
OPTIONAL_CREDENTIALS: dict[str, Any] = {"security": [{}, {_BEARER: []}, {_SESSION: []}]}


def describe_credentials(document: dict[str, Any], mode: AuthMode) -> None:
    """Says what a request has to bring, in place: a key or token, or the cookie of a session; in
    the modes local and proxy nothing that a program would have to send."""
    document.setdefault("components", {})["securitySchemes"] = _SCHEMES
    taken: Security = [{_BEARER: []}, {_SESSION: []}] if mode in {"token", "jwt"} else []
    document["security"] = taken


Responses: TypeAlias = dict[int | str, dict[str, Any]]

_SCHEMA = {"$ref": "#/components/schemas/Problem"}
_DESCRIPTIONS = {
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
BODY_ERRORS = (400, 408, 413)


def problem_responses(*statuses: int) -> Responses:
    """Those named, and those that any request of a user can get."""
    return {status: _described(HTTPStatus(status)) for status in sorted({*_ALWAYS, *statuses})}


def not_modified_response() -> Responses:
    """The answer to an If-None-Match that still holds."""
    return {304: {"description": "It is as it was when that tag was given; no body."}}


def response_links(pointer: str, *operations: str) -> dict[str, Any]:
    """What can be done next with the id at that place of the answer."""
    parameters = {"id": f"$response.body#{pointer}"}
    return {name: {"operationId": name, "parameters": parameters} for name in operations}


def _described(status: HTTPStatus) -> dict[str, Any]:
    return {"description": _DESCRIPTIONS[status], "content": {MEDIA_TYPE: {"schema": _SCHEMA}}}


_EXAMPLE = """\
event: turn
data: {"turn_id":"5a3e…","conversation_id":"9c01…","privacy":"normal"}
id: 1
retry: 1000

event: tool
data: {"name":"query_memory","said":"Looking in memory…"}
id: 2

event: text
data: {"text":"You told me that you prefer uv."}
id: 3

event: done
data: {"status":"complete","saved":true,"privacy":"normal","memories":[…],…}
id: 4

event: end
data: {}
id: 5
"""
_STREAM_INTRO = "Server-sent events, each with its number as `id` and its data as JSON:\n\n"
_TURN = {
    "description": "The turn, by which its events can be gone on with.",
    "schema": {"type": "string", "format": "uuid"},
}


def stream_response() -> Responses:
    """The good answer: a schema for the data of each event, and what each of them says."""
    told = [f"- `{name}`: {_docstring_line(model)}" for name, model in EVENTS.items()]
    return {
        200: {
            "model": EventData,
            "description": _STREAM_INTRO + "\n".join(told),
            "content": {"text/event-stream": {"example": _EXAMPLE}},
            "headers": {"Keepsake-Turn": _TURN},
        }
    }


def _docstring_line(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())


_STREAM = "text/event-stream"


def describe_summaries(document: dict[str, Any]) -> None:
    """Takes the first line of each route's docstring for its summary, in place; a route without a
    docstring keeps its name."""
    for path in document.get("paths", {}).values():
        for operation in path.values():
            first, _, rest = operation.get("description", "").partition("\n\n")
            if not first:
                continue
            operation["summary"] = " ".join(first.split()).removesuffix(".")
            operation["description"] = rest or first


def describe_events(document: dict[str, Any]) -> None:
    """Says of each stream that its schema is that of the data of one event, in place: else it is
    read as that of the whole stream."""
    for path in document.get("paths", {}).values():
        for operation in path.values():
            for response in operation.get("responses", {}).values():
                stream = response.get("content", {}).get(_STREAM, {})
                if "schema" in stream and "itemSchema" in stream:
                    stream["itemSchema"] = _event(stream["itemSchema"], stream.pop("schema"))


def _event(item: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    told = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    return item | {"required": ["data"], "properties": item["properties"] | {"data": told}}
