"""Who asks is known before a byte of the body is read, and a body is looked over before it is made
into objects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.rest.depends import caller, served
from memory.errors import InvalidInput

# What a route of `/v1` takes is a few texts and lists; to make millions of lists would hold up
# everybody, on a thread as well, since Python's parser lets nothing else run meanwhile.
MOST_VALUES = 10_000
_TEXTS = json.JSONDecoder(strict=False)
_CROWDED = f"The body has more than {MOST_VALUES:,} values; send it in parts."


class IdentifiedRoute(APIRoute):
    """FastAPI itself reads and parses a body before it asks who sent it. Every router under `/v1`
    that asks for `Asking` is made of these."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Raises what `caller` does, and InvalidInput for a body that is crowded."""
        handler = super().get_route_handler()
        takes_body = self.body_field is not None

        async def handle(request: Request) -> Response:
            request.state.caller = await caller(request, served(request))
            if takes_body:
                await _look_over(request)
            return await handler(request)

        return handle


def is_crowded(body: bytes, most: int = MOST_VALUES) -> bool:
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


async def _look_over(request: Request) -> None:
    try:
        body = await request.body()
    except ClientDisconnect:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    if len(body) > MOST_VALUES and await asyncio.to_thread(is_crowded, body):
        raise InvalidInput(reason=_CROWDED)
