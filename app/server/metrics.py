"""What is counted of the server, in one registry with what the memory counts. No label names a
user, an id or a path as it was sent."""

from __future__ import annotations

import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.route import route_of

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
# Seconds. An answer of a chat begins with its first event.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CUT_OFF = "cut off"


class Metrics:
    """`registry` is one of this server's own."""

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


class Metered:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = CUT_OFF, time.perf_counter()

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
                method = scope["method"] if scope["method"] in METHODS else "other"
                self._metrics.requests.labels(method, route_of(scope), status).inc()
