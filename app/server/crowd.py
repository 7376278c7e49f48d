"""Refuses requests while more connections are open than the process has files for."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.server.problems import told
from memory.errors import TooCrowded

CROWDED = "crowded"
RETRY_SECONDS = 5


class Crowd:
    """The doorway, which has the connections, says in the request's state that there are too many.
    The refused connection is closed, so that there is room again."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope.get("state", {}).get(CROWDED):
            await self._app(scope, receive, send)
            return
        refused = told(Request(scope), TooCrowded(retry_after=RETRY_SECONDS))
        refused.headers["Connection"] = "close"
        await refused(scope, receive, send)
