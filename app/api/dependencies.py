"""What a route may ask for: the parts of the program, who is asking, and the space that is
meant."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from agent.assistant import Assistant
from app.api.auth.caller import Caller, Identifier
from app.api.auth.credentials import CredentialIdentifier
from app.api.limits import RateLimits
from app.api.middleware import HttpMetrics, correlation_id
from app.api.turns import TurnRegistry
from app.schemas.fields import SpaceFilter
from memory.config import Settings
from memory.errors import InvalidInput
from memory.service import MemoryService
from memory.types import Origin


@dataclass(frozen=True)
class ApiServices:
    """Built once, in `app.api.server` and in tests. `ready` raises a KeepsakeError where the
    program cannot answer for now. `signing_in` begins sessions in the modes that have some."""

    settings: Settings
    memory: MemoryService
    assistant: Assistant
    identifier: Identifier
    chats: TurnRegistry
    limits: RateLimits
    metrics: HttpMetrics
    ready: Callable[[], Awaitable[None]]
    signing_in: CredentialIdentifier | None = None


def get_services(request: Request) -> ApiServices:
    found: ApiServices = request.app.state.served
    return found


Services = Annotated[ApiServices, Depends(get_services)]


async def authenticate(request: Request, parts: Services) -> Caller:
    """Counts the request; one that was identified already (see `AuthenticatedRoute`) is not counted
    twice. Raises NotSignedIn and TooManyRequests."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is not None:
        return known
    found = await parts.identifier.identify(request)
    parts.limits.requests.take(found.user_id)
    return found


async def audit_context(request: Request) -> Origin:
    """Of whatever the request writes."""
    return Origin("user", correlation_id(request))


CurrentUser = Annotated[Caller, Depends(authenticate)]


async def rate_limit_chat(asking: CurrentUser, parts: Services) -> Caller:
    """Who asks for an answer of the chat, which is counted besides. Raises TooManyRequests."""
    parts.limits.chats.take(asking.user_id)
    return asking


RateLimitedUser = Annotated[Caller, Depends(rate_limit_chat)]
AuditContext = Annotated[Origin, Depends(audit_context)]


async def _space(
    parts: Services,
    space: Annotated[SpaceFilter, Query()] = None,
) -> str:
    """The one that the request names, else the settings'."""
    return space or parts.settings.keepsake_space


CurrentSpace = Annotated[str, Depends(_space)]


# What a route of `/v1` takes is a few texts and lists; to make millions of lists would hold up
# everybody, on a thread as well, since Python's parser lets nothing else run meanwhile.
MAX_JSON_VALUES = 10_000
_TEXTS = json.JSONDecoder(strict=False)
_TOO_MANY_VALUES = f"The body has more than {MAX_JSON_VALUES:,} values; send it in parts."


class AuthenticatedRoute(APIRoute):
    """Finds out who asks before a byte of the body is read, and looks a body over before it is made
    into objects; FastAPI itself reads and parses one first. Every router under `/v1` that asks for
    `CurrentUser` is made of these."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Raises what `caller` does, and InvalidInput for a body that is crowded."""
        handler = super().get_route_handler()
        takes_body = self.body_field is not None

        async def handle(request: Request) -> Response:
            request.state.caller = await authenticate(request, get_services(request))
            if takes_body:
                await _check_body(request)
            return await handler(request)

        return handle


def has_too_many_values(body: bytes, most: int = MAX_JSON_VALUES) -> bool:
    """Whether there are more than `most` texts, lists, objects and commas in JSON, as far as it can
    be read. It takes as long as it takes to read the texts."""
    try:
        text = body.decode(json.detect_encoding(body), "surrogatepass")
    except UnicodeDecodeError:
        return False
    found, place = 0, 0
    while found <= most:
        begin = text.find('"', place)
        between = text[place:begin] if begin >= 0 else text[place:]
        found += sum(map(between.count, "[{,"))
        if begin < 0:
            break
        try:
            place = _TEXTS.raw_decode(text, begin)[1]
        except json.JSONDecodeError:
            break
        found += 1
    return found > most


async def _check_body(request: Request) -> None:
    try:
        body = await request.body()
    except ClientDisconnect:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    if len(body) > MAX_JSON_VALUES and await asyncio.to_thread(has_too_many_values, body):
        raise InvalidInput(reason=_TOO_MANY_VALUES)
