"""An application on a port of its own, in the event loop of the test."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

STOP_SECONDS = 10


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals stay with the test run."""
        yield


@asynccontextmanager
async def listening(application: ASGIApp) -> AsyncIterator[str]:
    """Its address. It answers from the first request on, since the socket listens already."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = _Server(
            uvicorn.Config(
                application,
                log_config=None,
                lifespan="off",
                proxy_headers=False,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task
