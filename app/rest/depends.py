"""What a route may ask for: who is asking, and the parts of the program."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from app.identity.caller import Caller
from app.server.correlation import correlation_id
from app.server.served import Served
from memory.models import Origin


def served(request: Request) -> Served:
    found: Served = request.app.state.served
    return found


Parts = Annotated[Served, Depends(served)]


async def caller(request: Request, parts: Parts) -> Caller:
    """Counts the request; one that was identified already (see `IdentifiedRoute`) is not counted
    twice. Raises NotSignedIn and TooManyRequests."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is not None:
        return known
    found = await parts.identifier.identify(request)
    parts.limits.requests.take(found.user_id)
    return found


async def origin(request: Request) -> Origin:
    """Of whatever the request writes."""
    return Origin("user", correlation_id(request))


Asking = Annotated[Caller, Depends(caller)]


async def chatter(asking: Asking, parts: Parts) -> Caller:
    """Who asks for an answer of the chat, which is counted besides. Raises TooManyRequests."""
    parts.limits.chats.take(asking.user_id)
    return asking


Chatting = Annotated[Caller, Depends(chatter)]
Written = Annotated[Origin, Depends(origin)]
