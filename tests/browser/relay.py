"""A way to the server that can be cut, as a network that goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class Relay:
    """Passes bytes on between whoever connects and the server. While it is cut, who is connected is
    disconnected, and who connects is turned away."""

    def __init__(self, url: str) -> None:
        self._server = urlsplit(url)
        self._is_cut = False
        self._passing: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        self._is_cut = True
        for task in self._passing:
            task.cancel()

    def mend(self) -> None:
        self._is_cut = False

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection to its end."""
        if self._is_cut:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        await asyncio.wait({task})

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, ahead = await asyncio.open_connection(self._server.hostname, self._server.port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pour(reader, ahead))
                group.create_task(_pour(behind, writer))
        except* OSError:
            pass
        finally:
            ahead.transport.abort()
            writer.transport.abort()


@asynccontextmanager
async def relay_to(url: str) -> AsyncIterator[tuple[Relay, str]]:
    """The relay, and the address that leads through it."""
    relay = Relay(url)
    server = await asyncio.start_server(relay.enter, "127.0.0.1", 0)
    try:
        yield relay, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        relay.cut()
        await server.wait_closed()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while some := await reader.read(65_536):
        writer.write(some)
        await writer.drain()
    raise ConnectionResetError
