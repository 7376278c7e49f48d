"""A program's metrics for Prometheus, on a port of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from prometheus_client import CollectorRegistry, start_http_server

from memory.errors import InvalidSettings

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def exported(registry: CollectorRegistry, host: str, port: int) -> AsyncIterator[None]:
    """Answers in a thread of its own; not at all where the port is 0. Nothing in it is of a user,
    and nobody is asked for a credential: the address says who reaches it. Raises InvalidSettings
    where it cannot listen there."""
    if port == 0:
        yield
        return
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise InvalidSettings(
            reason=f"METRICS_HOST and the port of the metrics: cannot listen at {host}:{port} "
            f"({error.strerror}); name others, or port 0 for none"
        ) from error
    _log.info("metrics exported", host=host, port=port)
    try:
        yield
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        await asyncio.to_thread(thread.join)
