"""One line for each answer: what was asked by its template, and what came of it."""

from __future__ import annotations

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.route import route_of

# What a monitor asks for every few seconds, and what a page is made of.
QUIET = frozenset({"/healthz", "/readyz", "/metrics", "/static/{path:path}"})
CUT_OFF = 499
_log = structlog.get_logger(__name__)


class AccessLog:
    """Writes no query, no body, no user, and no path as it was sent. The correlation id is in the
    line because every line of a request has it. An answer that never began counts as 499."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = CUT_OFF

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        try:
            await self._app(scope, receive, seen)
        finally:
            _write(scope, status, time.perf_counter() - began)


def _write(scope: Scope, status: int, seconds: float) -> None:
    route = route_of(scope)
    write = _log.debug if route in QUIET else _log.info
    write(
        "answered",
        method=scope["method"],
        route=route,
        status=status,
        ms=round(seconds * 1000, 1),
    )
