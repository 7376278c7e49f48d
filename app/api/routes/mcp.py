"""`POST /mcp`: MCP over HTTP for whoever the credential says is asking.

It keeps no sessions. The user is found out for every request by the same Identifier as REST's, a
revoked key is refused at the next one, there is no session id that another user could take over,
and a restart or a second server process is not noticed. What a session would add is that the server
asks the client something or speaks first, which no tool here does; so a GET, which would open a
stream for that, and a DELETE, which would end a session, are answered with 405, as the protocol
allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any

from mcp.server.mcpserver import Context
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from app.api.auth.caller import Caller
from app.api.dependencies import ApiServices, authenticate
from app.api.middleware import correlation_id
from app.mcp.server import MemoryServer
from app.mcp.tools import ToolCall

PATH = "/mcp"


def make_routes(served: ApiServices) -> Sequence[Route]:
    """For the one path, and for the same with a slash, which some clients are given: a redirect
    from there would lose the body."""
    endpoint = _Endpoint(served)
    return _NamedRoute(PATH, endpoint), _NamedRoute(f"{PATH}/", endpoint)


class _NamedRoute(Route):
    """Tells log and metrics that it is the one, as the routes of FastAPI do."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, told = super().matches(scope)
        return match, told if match is Match.NONE else {**told, "route": self}


class _Endpoint:
    """An ASGI application. What the identifier raises, and HTTPException, are for the handlers of
    the application that it stands in."""

    def __init__(self, served: ApiServices) -> None:
        self._served = served

    @cached_property
    def _server(self) -> MemoryServer:
        """Made for the first who asks, since the schemas of its tools take longer than all other
        routes together, and many a server is never asked."""
        return MemoryServer(self._who, self._served.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        request.state.caller = await authenticate(request, self._served)
        if request.method != "POST":
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
        await self._server.answer(scope, receive, send)

    async def _who(self, context: Context[Any, Any]) -> ToolCall:
        """By the very request that the call came in."""
        request = context.request_context.request
        assert isinstance(request, Request)
        asking: Caller = request.state.caller
        return ToolCall(self._served.memory, asking.user_id, correlation_id(request))
