"""A door in front of PostgreSQL that a test can shut, so that only its own connections suffer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, quote, urlsplit

SOCKET = ".s.PGSQL.5432"


class Door:
    """Passes bytes between its own socket and the server's. Shut, it drops every connection and
    lets nobody in; stalled, it keeps the connections and passes nothing on."""

    def __init__(self, own: Path, server: Path) -> None:
        self._own = own
        self._server = server
        self._listener: asyncio.Server | None = None
        self._served: set[asyncio.Task[None]] = set()
        self._passing = asyncio.Event()

    async def open(self) -> None:
        self._passing.set()
        self._listener = await asyncio.start_unix_server(self._enter, self._own)

    async def shut(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self._own.unlink(missing_ok=True)
        served = list(self._served)
        for task in served:
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)

    def stall(self) -> None:
        self._passing.clear()

    def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._served.add(task)
        task.add_done_callback(self._served.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, ahead = await asyncio.open_unix_connection(self._server)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass_on(reader, ahead))
                group.create_task(self._pass_on(behind, writer))
        except* OSError:
            pass
        finally:
            for end in (writer, ahead):
                end.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65_536):
            await self._passing.wait()
            writer.write(some)
            await writer.drain()
        raise ConnectionResetError


@asynccontextmanager
async def door_to(database_url: str) -> AsyncIterator[tuple[Door, str]]:
    """An open door to the server of the URL, and the URL that leads through it."""
    parts = urlsplit(database_url)
    [folder] = parse_qs(parts.query)["host"]
    with TemporaryDirectory(prefix="ks", dir="/tmp") as own:  # short, for the socket's sake
        door = Door(Path(own, SOCKET), Path(folder, SOCKET))
        await door.open()
        try:
            yield door, parts._replace(query=f"host={quote(own)}&port=5432").geturl()
        finally:
            await door.shut()
