"""uvicorn under Keepsake's own signals: opened on a socket, and closed without losing a reply."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Never, Protocol

import structlog
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from app.server.crowd import CROWDED
from app.server.punctual import PunctualProtocol
from memory.errors import ServerEnded

KEEP_ALIVE_SECONDS = 15
# What is asked over connections beyond these is refused (see `Crowd`), before they use up the files
# of the process. uvicorn's own limit would answer without an id and without our headers.
MOST_CONNECTIONS = 900
# Seconds for the last bytes of the answers, once nothing is made any more, and for what is then
# broken off to notice.
LAST_BYTES_SECONDS = 3.0
BREAK_OFF_SECONDS = 5.0
_log = structlog.get_logger(__name__)


class Draining(Protocol):
    """The turns that are under way; `app.chats.chats.Chats` is one."""

    async def drain(self, seconds: float) -> None: ...

    async def aclose(self) -> None: ...


class Doorway:
    """Answers on one socket from `open` to `close`."""

    def __init__(
        self, app: ASGIApp, listener: socket.socket, most_connections: int = MOST_CONNECTIONS
    ) -> None:
        self._app = app
        self._listener = listener
        self._most_connections = most_connections
        self._server = _Server(
            uvicorn.Config(
                self._answer,
                interface="asgi3",
                http=PunctualProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                # Below that it has a line for every request that is no HTTP, as many as one sends.
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            )
        )
        self._answering: asyncio.Task[None] | None = None

    def open(self) -> asyncio.Task[None]:
        """A task that ends when nobody is answered any more."""
        self._answering = asyncio.create_task(self._server.serve(sockets=[self._listener]))
        return self._answering

    async def stay_open(self) -> Never:
        """Until this is cancelled. Raises ServerEnded where it closes without that."""
        assert self._answering is not None
        await asyncio.shield(self._answering)
        raise ServerEnded

    async def close(self, turns: Draining, seconds: float, hurry: asyncio.Event) -> None:
        """Takes no more connections and no new turns, and gives what is under way so many seconds,
        or until `hurry` is set. Then the turns are stopped, and their replies stored as far as they
        went; whoever reads them is still told that. What is left after that is broken off."""
        if self._answering is None:
            return
        self._server.should_exit = True
        draining = asyncio.create_task(turns.drain(seconds))
        hurried = asyncio.create_task(hurry.wait())
        ending = asyncio.create_task(asyncio.wait({draining, self._answering}))
        await asyncio.wait({ending, hurried}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        in_time = ending.done()
        for task in (hurried, ending, draining):
            task.cancel()
        await asyncio.wait({hurried, ending, draining})
        if not in_time:
            await self._cut_short(turns, self._answering)
        _log.info("server closed", in_time=in_time)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        crowded = len(self._server.server_state.connections) > self._most_connections
        scope.setdefault("state", {})[CROWDED] = crowded
        await self._app(scope, receive, send)

    async def _cut_short(self, turns: Draining, answering: asyncio.Task[None]) -> None:
        await turns.aclose()
        await asyncio.wait({answering}, timeout=LAST_BYTES_SECONDS)
        if answering.done():
            return
        state = self._server.server_state
        _log.warning("answers broken off", count=len(state.tasks))
        unfinished = set(state.tasks)
        for task in unfinished:
            task.cancel()
        for connection in list(state.connections):
            connection.transport.abort()
        self._server.force_exit = True
        await asyncio.wait({answering, *unfinished}, timeout=BREAK_OFF_SECONDS)
        answering.cancel()
        await asyncio.wait({answering})


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves the signals to `app.process.signals`."""
        yield
