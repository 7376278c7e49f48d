"""The limits of what clients may send: requests in a minute, connections, and the size and time of
a body. Requests are counted in this process, so that the limit holds with Redis away."""

from __future__ import annotations

import asyncio
import hashlib
import math
import shutil
import time
from collections import OrderedDict
from collections.abc import AsyncIterable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NoReturn, cast

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth.credentials import MAX_CREDENTIAL_CHARS
from app.api.problems import error_response
from memory.config import Settings
from memory.errors import (
    BodyTooLarge,
    BodyTooSlow,
    KeepsakeError,
    NoRoom,
    TooCrowded,
    TooManyRequests,
)

RATE_WINDOW_SECONDS = 60.0
# Of more users than these the one who was longest silent begins anew.
MAX_TRACKED_USERS = 10_000


@dataclass(frozen=True)
class TokenBucket:
    """What is left of an allowance at a moment, in seconds of any clock that only goes on."""

    left: float
    at: float


def take_token(
    bucket: TokenBucket | None, per_minute: int, now: float
) -> tuple[TokenBucket, float]:
    """The allowance after one request more, and how many seconds it has to wait: 0 where it may
    pass. A refused one costs nothing.

    A token bucket of `per_minute` that fills evenly within a minute: so many may come at once, and
    in the long run so many a minute. Nobody's bucket (None) is full.
    """
    full = float(per_minute)
    before = bucket or TokenBucket(full, now)
    passed = max(now - before.at, 0.0)
    left = min(full, before.left + passed * full / RATE_WINDOW_SECONDS)
    if left >= 1:
        return TokenBucket(left - 1, now), 0.0
    return TokenBucket(left, now), (1 - left) * RATE_WINDOW_SECONDS / full


class RateLimit:
    """The allowances of all users. A limit of 0 means no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, user_id: str) -> None:
        """Counts a request. Raises TooManyRequests with the whole seconds to wait."""
        if self._per_minute == 0:
            return
        now = self._clock()
        self._buckets[user_id], wait = take_token(self._buckets.get(user_id), self._per_minute, now)
        self._buckets.move_to_end(user_id)
        if len(self._buckets) > MAX_TRACKED_USERS:
            self._buckets.popitem(last=False)
        if wait:
            raise TooManyRequests(retry_after=math.ceil(wait))


@dataclass(frozen=True)
class RateLimits:
    """Of all requests of a user, and of those that begin an answer of the chat."""

    requests: RateLimit
    chats: RateLimit


def make_rate_limits(settings: Settings) -> RateLimits:
    return RateLimits(
        RateLimit(settings.api_requests_per_minute), RateLimit(settings.chats_per_minute)
    )


TOO_MANY_CONNECTIONS = "crowded"
CONNECTION_RETRY_SECONDS = 5


class ConnectionLimitMiddleware:
    """Refuses requests while more connections are open than the process has files for. The server,
    which has the connections, says so in the request's state. The refused connection is closed, so
    that there is room again."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope.get("state", {}).get(TOO_MANY_CONNECTIONS):
            await self._app(scope, receive, send)
            return
        refused = error_response(Request(scope), TooCrowded(retry_after=CONNECTION_RETRY_SECONDS))
        refused.headers["Connection"] = "close"
        await refused(scope, receive, send)


# A file within JSON, all of which is in memory, and a file by itself, which is not: an export of
# two and a half million memories. The terminal takes a file of any size.
IMPORT_BYTES = 20_000_000
FILE_BYTES = 2_000_000_000
# Paths whose bodies may be larger than the others'.
LARGER_LIMITS: Mapping[str, int] = {
    "/v1/memory/import": IMPORT_BYTES,
    "/v1/memory/import/file": FILE_BYTES,
}
# A credential and what is around it: nobody knows yet who sends this one.
SIGN_IN_BYTES = MAX_CREDENTIAL_CHARS + 1024
SMALLER_LIMITS: Mapping[str, int] = {"/v1/session": SIGN_IN_BYTES}
BODY_SECONDS = 60.0
# A body may take this long, and a second more for each so many bytes of it that came.
BYTES_A_SECOND = 100_000


class _BodyRefused(HTTPException):
    """Ends the reading. A framework passes this class on, where it would hide another; what it
    makes of it is not sent."""


class BodyLimitMiddleware:
    """Refuses a body by the length it declares, before a byte of it is read, and one that declares
    none as soon as it is over the limit or late."""

    def __init__(self, app: ASGIApp, most: int, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = max(self._most, LARGER_LIMITS.get(scope["path"], 0))
        most = min(most, SMALLER_LIMITS.get(scope["path"], most))
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            await error_response(Request(scope), BodyTooLarge(limit=most))(scope, receive, send)
            return
        reading = _LimitedBody(receive, send, most, self._seconds)
        try:
            await self._app(scope, reading.receive, reading.send)
        except Exception:
            if reading.refused is None or reading.begun:
                raise
        if reading.refused is not None and not reading.begun:
            await error_response(Request(scope), reading.refused)(scope, receive, send)


class _LimitedBody:
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
        raise _BodyRefused(413)


# What is left of the disk for the databases, which stop without.
MIN_FREE_BYTES = 1_000_000_000
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class SpooledBody:
    """A body from its first byte, in a file of the data folder that has no name: nobody else opens
    it, and nothing is left of it, whatever ends the program. Whoever has it closes the file."""

    file: BinaryIO
    size: int
    digest: str

    def pieces(self) -> Iterator[bytes]:
        """All of it, and then the file is closed."""
        with self.file:
            self.file.seek(0)
            while piece := self.file.read(_AT_ONCE):
                yield piece


async def spool_body(
    pieces: AsyncIterable[bytes], folder: Path, *, kept_free: int = MIN_FREE_BYTES
) -> SpooledBody:
    """Raises NoRoom, for more than a megabyte where less than `kept_free` bytes of the disk would
    be left, and what the pieces raise."""
    file = cast(BinaryIO, await asyncio.to_thread(TemporaryFile, dir=folder))
    digest, size, waiting = hashlib.sha256(), 0, bytearray()

    def write(said: bytes) -> None:
        try:
            if size > _AT_ONCE and shutil.disk_usage(folder).free < kept_free + len(said):
                raise NoRoom
            file.write(said)
            file.flush()
        except OSError as error:
            raise NoRoom from error
        digest.update(said)

    try:
        async for piece in pieces:
            size += len(piece)
            waiting += piece
            if len(waiting) >= _AT_ONCE:
                await asyncio.to_thread(write, bytes(waiting))
                waiting.clear()
        await asyncio.to_thread(write, bytes(waiting))
    except BaseException:
        file.close()
        raise
    return SpooledBody(file, size, digest.hexdigest())
