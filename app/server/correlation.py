"""Every request has an id, in its answer, in the log, and in what a turn stores."""

from __future__ import annotations

from uuid import UUID, uuid4

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Correlation-ID"


class Correlation:
    """Makes the id; one that a client sends is not taken, since a turn is stored under it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = uuid4()
        scope.setdefault("state", {})["correlation_id"] = given

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = str(given)
            await send(message)

        with structlog.contextvars.bound_contextvars(correlation_id=str(given)):
            await self._app(scope, receive, named)


def correlation_id(connection: HTTPConnection) -> UUID:
    given: UUID = connection.state.correlation_id
    return given
