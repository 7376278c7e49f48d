"""What is around every request: correlation id, security headers, log line, metrics, HEAD, and
compression."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from uuid import UUID, uuid4

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNKNOWN_ROUTE = "unknown"
_log = structlog.get_logger(__name__)


def route_of(scope: Scope) -> str:
    """The template of the route ("/v1/memory/entries/{entry_id}"), or the place of an application
    that is mounted; never a path as it was sent. Known only once the request was routed."""
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return scope.get("root_path") or UNKNOWN_ROUTE


CORRELATION_HEADER = "X-Correlation-ID"


class CorrelationMiddleware:
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
                MutableHeaders(scope=message)[CORRELATION_HEADER] = str(given)
            await send(message)

        with structlog.contextvars.bound_contextvars(correlation_id=str(given)):
            await self._app(scope, receive, named)


def correlation_id(connection: HTTPConnection) -> UUID:
    given: UUID = connection.state.correlation_id
    return given


CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Answers that hold a user's words; a page's own files may be kept.
PRIVATE_PATHS = ("/v1/", "/mcp")


class SecurityHeadersMiddleware:
    """Adds the headers to every answer, whoever made it; what an answer set itself stays, but no
    answer of `/v1` is kept. `Idempotent-Replayed` says that a request was done before."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope)
            await send(message)

        await self._app(scope, receive, dressed)


def _add_headers(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
    if scope["path"].startswith(PRIVATE_PATHS):
        headers["Cache-Control"] = "no-store"
    if scope.get("state", {}).get("replayed"):
        headers["Idempotent-Replayed"] = "true"


# What a monitor asks for every few seconds, and what a page is made of.
QUIET_ROUTES = frozenset({"/healthz", "/readyz", "/metrics", "/static/{path:path}"})
CLIENT_CLOSED_REQUEST = 499


class AccessLogMiddleware:
    """Writes no query, no body, no user, and no path as it was sent. The correlation id is in the
    line because every line of a request has it. An answer that never began counts as 499."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = CLIENT_CLOSED_REQUEST

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
    write = _log.debug if route in QUIET_ROUTES else _log.info
    write(
        "answered",
        method=scope["method"],
        route=route,
        status=status,
        ms=round(seconds * 1000, 1),
    )


KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
# Seconds. An answer of a chat begins with its first event.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CUT_OFF_LABEL = "cut off"


class HttpMetrics:
    """`registry` is one of this server's own. No label names a user, an id or a path as it was
    sent."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.requests = Counter(
            "keepsake_http_requests",
            "Answered requests by method, route and class of status",
            ["method", "route", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "keepsake_http_request_seconds",
            "Seconds until an answer began",
            ["route"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.in_flight = Gauge(
            "keepsake_http_requests_in_flight",
            "Requests that are being answered",
            registry=registry,
        )
        self._running = Gauge("keepsake_turns_running", "Replies being made", registry=registry)
        self._listeners = Gauge(
            "keepsake_turn_listeners", "Requests that read the events of a turn", registry=registry
        )

    def watch_turns(self, running: Callable[[], int], listeners: Callable[[], int]) -> None:
        """Asks these whenever somebody reads the metrics."""
        self._running.set_function(running)
        self._listeners.set_function(listeners)


class MetricsMiddleware:
    def __init__(self, app: ASGIApp, metrics: HttpMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = CUT_OFF_LABEL, time.perf_counter()

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = f"{message['status'] // 100}xx"
                seconds = time.perf_counter() - began
                self._metrics.seconds.labels(route_of(scope)).observe(seconds)
            await send(message)

        with self._metrics.in_flight.track_inprogress():
            try:
                await self._app(scope, receive, seen)
            finally:
                method = scope["method"] if scope["method"] in KNOWN_METHODS else "other"
                self._metrics.requests.labels(method, route_of(scope), status).inc()


class HeadMiddleware:
    """Answers HEAD wherever GET is answered (RFC 9110, 9.3.2). Routes a HEAD as a GET. A stream is
    ended as soon as it has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answer = _HeadResponse(scope, receive, send)
        scope["method"] = "GET"  # in place: what is outside of this reads the route from the scope
        try:
            await self._app(scope, answer.receive, answer.send)
        finally:
            scope["method"] = "HEAD"  # where it broke off before it answered


class _HeadResponse:
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


STATIC_PATH = "/static/"
_LEVEL = 6  # of 9: smaller by less than one in a hundred beyond it


class StaticCompressionMiddleware:
    """Compresses what is under STATIC_PATH, for who takes that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressing = GZipMiddleware(app, compresslevel=_LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_file = scope["type"] == "http" and scope["path"].startswith(STATIC_PATH)
        await (self._compressing if is_file else self._app)(scope, receive, send)
