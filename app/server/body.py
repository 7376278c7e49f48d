"""How large the body of a request may be, and how long it may take to come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import NoReturn

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.identity.credentials import MAX_CREDENTIAL_CHARS
from app.server.problems import told
from memory.errors import BodyTooLarge, BodyTooSlow, KeepsakeError

# A file within JSON, all of which is in memory, and a file by itself, which is not: an export of
# two and a half million memories. The terminal takes a file of any size.
IMPORT_BYTES = 20_000_000
FILE_BYTES = 2_000_000_000
# Paths whose bodies may be larger than the others'.
LARGER: Mapping[str, int] = {
    "/v1/memory/import": IMPORT_BYTES,
    "/v1/memory/import/file": FILE_BYTES,
}
# A credential and what is around it: nobody knows yet who sends this one.
SIGN_IN_BYTES = MAX_CREDENTIAL_CHARS + 1024
SMALLER: Mapping[str, int] = {"/v1/session": SIGN_IN_BYTES}
SECONDS = 60.0
# A body may take this long, and a second more for each so many bytes of it that came.
BYTES_A_SECOND = 100_000


class _Refused(HTTPException):
    """Ends the reading. A framework passes this class on, where it would hide another; what it
    makes of it is not sent."""


class BodyLimit:
    """Refuses a body by the length it declares, before a byte of it is read, and one that declares
    none as soon as it is over the limit or late."""

    def __init__(self, app: ASGIApp, most: int, seconds: float = SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = max(self._most, LARGER.get(scope["path"], 0))
        most = min(most, SMALLER.get(scope["path"], most))
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            await told(Request(scope), BodyTooLarge(limit=most))(scope, receive, send)
            return
        reading = _Reading(receive, send, most, self._seconds)
        try:
            await self._app(scope, reading.receive, reading.send)
        except Exception:
            if reading.refused is None or reading.begun:
                raise
        if reading.refused is not None and not reading.begun:
            await told(Request(scope), reading.refused)(scope, receive, send)


class _Reading:
    """One body on its way in. Once it is refused, an answer that had not begun is not sent."""

    def __init__(self, receive: Receive, send: Send, most: int, seconds: float) -> None:
        self.refused: KeepsakeError | None = None
        self.begun = False
        self._receive = receive
        self._send = send
        self._most = most
        self._read = 0
        self._whole = False
        self._seconds = seconds
        self._until = time.monotonic() + seconds

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()
        message = await self._in_time()
        self._read += len(message.get("body", b""))
        if self._read > self._most:
            self._refuse(BodyTooLarge(limit=self._most))
        self._whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if self.refused is None or self.begun:
            self.begun = True
            await self._send(message)

    async def _in_time(self) -> Message:
        try:
            until = self._until + self._read / BYTES_A_SECOND
            async with asyncio.timeout(until - time.monotonic()):
                return await self._receive()
        except TimeoutError:
            self._refuse(BodyTooSlow(seconds=round(self._seconds)))

    def _refuse(self, error: KeepsakeError) -> NoReturn:
        self.refused = error
        raise _Refused(413)
