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
    """Raises NotSignedIn."""
    return await parts.identifier.identify(request)


async def origin(request: Request) -> Origin:
    """Of whatever the request writes."""
    return Origin("user", correlation_id(request))


Asking = Annotated[Caller, Depends(caller)]
Written = Annotated[Origin, Depends(origin)]
