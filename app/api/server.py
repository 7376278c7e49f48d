"""uvicorn under Keepsake's own signals: an address that is taken before anything is started,
connections that have to say soon what they want, and an end that loses no reply."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, closing, contextmanager
from ipaddress import ip_address
from typing import Never, Protocol

import structlog
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.api.application import make_application
from app.api.auth.modes import Authentication, check_auth_settings, open_authentication
from app.api.dependencies import ApiServices
from app.api.limits import TOO_MANY_CONNECTIONS, make_rate_limits
from app.api.middleware import HttpMetrics
from app.api.turns import TurnRegistry
from app.bootstrap import Keepsake, open_keepsake
from app.console import Progress
from app.runner import CliCommand, Shutdown
from app.supervisor import supervise
from app.tasks import cancel_and_wait
from app.telemetry.metrics import serve_metrics
from app.worker.background import run_in_background
from memory.config import Settings
from memory.errors import CannotListen, ServerEnded, ServerStopping
from memory.store.credentials import ApiKeyStore, EndedSessionStore

BACKLOG = 1024
_REASONS = {
    errno.EADDRINUSE: "another program is there already",
    errno.EACCES: "this login may not listen there",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}
_log = structlog.get_logger(__name__)


async def open_listener(settings: Settings) -> socket.socket:
    """A socket that takes connections, which wait until they are answered. Whoever gets it closes
    it. Raises CannotListen."""
    host, port = settings.serve_host, settings.serve_port
    try:
        family, place = await _resolve(host, port)
        return _open(family, place)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or os.strerror(error.errno or 0)
        if isinstance(error, socket.gaierror):
            reason = "its host name is not known"
        raise CannotListen(address=_format_address(host, port), reason=reason) from error


def url_of(listener: socket.socket) -> str:
    """The URL of the page, as somebody on this machine opens it."""
    place, port = listener.getsockname()[:2]
    address = ip_address(place)
    if address.is_unspecified:  # every address of this machine, among them this
        address = ip_address("127.0.0.1" if address.version == 4 else "::1")  # noqa: PLR2004
    return f"http://{_format_address(str(address), port)}"


def _open(family: socket.AddressFamily, place: tuple[str, int]) -> socket.socket:
    listener = socket.create_server(place, family=family, backlog=BACKLOG)
    # Connections have it from here, since asyncio sets it on those alone that name their protocol.
    # Without it the second part of an answer waits 40 ms for the client to say that it has the
    # first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


async def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    found = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, _, _, _, place = found[0]
    return family, (str(place[0]), port)


def _format_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, which itself waits for ever for the headers: a client that sends a byte
    now and then would hold its connection. One that is late is closed.

    `header_seconds` is from a new connection, or from the first byte of a further request, until
    its headers are there."""

    header_seconds = 10.0
    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering():
            self._cancel_timeout()
        elif self._header_timer is None:
            self._start_timeout()

    def on_response_complete(self) -> None:
        """Between two requests it is the keep-alive timeout that counts."""
        self._cancel_timeout()
        super().on_response_complete()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _start_timeout(self) -> None:
        self._header_timer = self.loop.call_later(self.header_seconds, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None


KEEP_ALIVE_SECONDS = 15
# What is asked over connections beyond these is refused (see `ConnectionLimitMiddleware`), before
# they use up the files of the process. uvicorn's own limit would answer without an id and without
# our headers.
MAX_CONNECTIONS = 900
# Seconds for the last bytes of the answers, once nothing is made any more, and for what is then
# broken off to notice.
LAST_BYTES_SECONDS = 3.0
BREAK_OFF_SECONDS = 5.0


class TurnDrain(Protocol):
    """The turns that are under way; `app.api.turns.TurnRegistry` is one."""

    async def drain(self, seconds: float) -> None: ...

    async def aclose(self) -> None: ...


class GracefulServer:
    """Answers on one socket from `open` to `close`."""

    def __init__(
        self, app: ASGIApp, listener: socket.socket, most_connections: int = MAX_CONNECTIONS
    ) -> None:
        self._app = app
        self._listener = listener
        self._most_connections = most_connections
        self._server = _UvicornServer(
            uvicorn.Config(
                self._answer,
                interface="asgi3",
                http=HeaderTimeoutProtocol,
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

    async def run_until_cancelled(self) -> Never:
        """Until this is cancelled. Raises ServerEnded where it closes without that."""
        assert self._answering is not None
        await asyncio.shield(self._answering)
        raise ServerEnded

    async def close(self, turns: TurnDrain, seconds: float, hurry: asyncio.Event) -> None:
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
        scope.setdefault("state", {})[TOO_MANY_CONNECTIONS] = crowded
        await self._app(scope, receive, send)

    async def _cut_short(self, turns: TurnDrain, answering: asyncio.Task[None]) -> None:
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


class _UvicornServer(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves the signals to `app.runner`."""
        yield


_NEXT_STEPS = {
    "local": "open it in a browser",
    "token": "sign in with a key of `python -m app keys add`",
    "jwt": "sign in with a token of your identity provider",
    "proxy": "open it through your proxy",
}


def serve(*, worker: bool = True) -> CliCommand:
    """Without `worker`, what can wait is left to a `python -m app worker`."""

    async def command(settings: Settings, leaving: Shutdown) -> int:
        await check_auth_settings(settings)
        progress = Progress()
        with closing(await open_listener(settings)) as listener:
            async with AsyncExitStack() as stack:
                with progress.busy("Starting Keepsake…"):
                    keepsake = await stack.enter_async_context(open_keepsake(settings, progress))
                return await run_server(keepsake, listener, leaving, worker=worker)

    return command


async def run_server(
    keepsake: Keepsake, listener: socket.socket, leaving: Shutdown, *, worker: bool
) -> int:
    """Answers on the socket until a signal ends it: then what is under way is ended first. A second
    signal cuts that short. 0 on SIGTERM, which is how a service is stopped. Raises ServerEnded
    where it ends without one."""
    async with AsyncExitStack() as stack:
        keys, ended = ApiKeyStore(keepsake.database), EndedSessionStore(keepsake.database)
        identity = await stack.enter_async_context(
            open_authentication(keepsake.settings, keys, ended)
        )
        served = make_api_services(keepsake, identity)
        await stack.enter_async_context(_exported(served))
        stack.push_async_callback(served.chats.aclose)
        stack.push_async_callback(cancel_and_wait, asyncio.create_task(supervise(keepsake)))
        if worker:
            settings = keepsake.settings
            only = settings.keepsake_user if settings.auth_mode == "local" else None
            stack.push_async_callback(
                cancel_and_wait, asyncio.create_task(run_in_background(keepsake, only))
            )
        doorway = GracefulServer(make_application(served), listener)
        _freeze_gc()
        try:
            doorway.open()
            _announce(keepsake.settings, url_of(listener))
            await doorway.run_until_cancelled()
        except asyncio.CancelledError:
            await _close(doorway, served, leaving)
            if not leaving.was_terminated:
                raise
    return 0


def _freeze_gc() -> None:
    """What was made so far stays until the end: looking it all through again and again would hold
    every answer up for a quarter of a second each time."""
    gc.collect()
    gc.freeze()


def make_api_services(keepsake: Keepsake, identity: Authentication) -> ApiServices:
    """What REST, the pages and MCP need of the running program."""
    chats = TurnRegistry(keepsake.assistant, resume_seconds=keepsake.settings.resume_seconds)

    async def ready() -> None:
        if chats.stopping:
            raise ServerStopping
        await keepsake.memory.space_settings("-", keepsake.settings.keepsake_space)

    return ApiServices(
        settings=keepsake.settings,
        memory=keepsake.memory,
        assistant=keepsake.assistant,
        chats=chats,
        limits=make_rate_limits(keepsake.settings),
        metrics=HttpMetrics(keepsake.counters.registry),
        identifier=identity.identifier,
        ready=ready,
        signing_in=identity.signing_in,
    )


def _exported(served: ApiServices) -> AbstractAsyncContextManager[None]:
    settings = served.settings
    registry = served.metrics.registry
    return serve_metrics(registry, settings.metrics_host, settings.serve_metrics_port)


def _announce(settings: Settings, address: str) -> None:
    next_step = _NEXT_STEPS[settings.auth_mode]
    print(f"Keepsake is at {address} ({next_step}); Ctrl-C stops it.", flush=True)  # noqa: T201
    _log.info("server opened", address=address, auth_mode=settings.auth_mode)


async def _close(doorway: GracefulServer, served: ApiServices, leaving: Shutdown) -> None:
    hurry = asyncio.Event()
    with leaving.on_second_signal(hurry.set):
        await doorway.close(served.chats, served.settings.drain_seconds, hurry)
