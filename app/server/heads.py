"""HEAD, wherever GET is answered: the same status and headers, and no body (RFC 9110, 9.3.2)."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Routes a HEAD as a GET. A stream is ended as soon as it has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answer = _Bodiless(scope, receive, send)
        scope["method"] = "GET"  # in place: what is outside of this reads the route from the scope
        try:
            await self._app(scope, answer.receive, answer.send)
        finally:
            scope["method"] = "HEAD"  # where it broke off before it answered


class _Bodiless:
    """Tells whoever sends a body that nobody listens any more. From the start of the answer on it
    is a HEAD again, or the server would frame a body."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._ended = asyncio.Event()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._scope["method"] = "HEAD"
            await self._send(message)
        elif not self._ended.is_set():
            self._ended.set()
            await self._send({"type": "http.response.body", "body": b""})

    async def receive(self) -> Message:
        """What the client sends until the answer has begun, and then that it is gone."""
        if self._ended.is_set():
            return {"type": "http.disconnect"}
        sent = asyncio.ensure_future(self._receive())
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({sent, ended}, return_when=asyncio.FIRST_COMPLETED)
            return sent.result() if sent.done() else {"type": "http.disconnect"}
        finally:
            sent.cancel()
            ended.cancel()
