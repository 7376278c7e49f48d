"""Real servers: some that all tests share, and for a test that kills or breaks them a folder of its
own, which none of them outlives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import redis.asyncio as redis_client

from memory.local_services.data_folder import DataFolder
from memory.local_services.process import FileLock, is_server_process
from memory.local_services.servers import LocalServer, PostgresServer, ValkeyServer
from memory.local_services.services import LocalServices, ServiceAddresses

PROJECT = Path(__file__).parents[3]
# For what waits: it ends at once when what it waits for is there.
SECONDS = 60.0


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = SECONDS) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.01)


@dataclass
class Client:
    """A running `tests.memory.embedded.client`."""

    process: asyncio.subprocess.Process

    async def said(self, key: str) -> dict[str, str]:
        """Reads until it says `key`."""
        assert self.process.stdout is not None
        async with asyncio.timeout(SECONDS):
            while line := await self.process.stdout.readline():
                fact: dict[str, str] = json.loads(line)
                if key in fact:
                    return fact
        raise AssertionError(f"the program ended before it said {key}")

    async def kill(self) -> None:
        self.process.kill()
        await self.process.communicate()

    async def leave(self) -> None:
        await self.process.communicate(b"\n")
        assert self.process.returncode == 0


@dataclass
class Place:
    """One data folder and what runs on it."""

    home: DataFolder
    clients: list[Client] = field(default_factory=list)
    opened: list[LocalServices] = field(default_factory=list)

    def services(self, **options: Any) -> LocalServices:
        opened = LocalServices(self.home.root, **options)
        self.opened.append(opened)
        return opened

    async def client(self, *before: str, packages: Path | None = None) -> Client:
        """`before` is a command that runs it, such as setpriv; what lies in `packages` comes before
        what is installed."""
        process = await asyncio.create_subprocess_exec(
            *(*before, sys.executable, "-m", "tests.memory.embedded.client"),
            str(self.home.root),
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(packages or "")},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        client = Client(process)
        self.clients.append(client)
        return client

    @property
    def servers(self) -> tuple[LocalServer, LocalServer]:
        change = FileLock(self.home.change_lock)
        return (PostgresServer(self.home, change, print), ValkeyServer(self.home, change, print))

    def running(self) -> list[str]:
        return [
            server.name
            for server in self.servers
            if server.process.lock.exists() and server.process.alive()
        ]

    async def kill(self, name: str) -> None:
        """Returns when the server's main process is dead; a child of it may still work."""
        [server] = [server for server in self.servers if server.name == name]
        pid = server.process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

        async def dead() -> bool:
            return not is_server_process(pid, server.process.data)

        await eventually(dead)

    async def clear(self) -> None:
        for client in self.clients:
            if client.process.returncode is None:
                await client.kill()
        for opened in self.opened:
            await opened.stop()
        if self.home.locks.exists():
            async with LocalServices(self.home.root, postgres=False, valkey=False):
                pass
        left = self.running()
        if self.home.sockets.parent != self.home.root:
            shutil.rmtree(self.home.sockets, ignore_errors=True)
        assert left == []


@pytest.fixture(scope="session")
def finished_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose set-up is done, to be copied: initdb is most of what a first start costs."""
    home = tmp_path_factory.mktemp("finished") / "home"
    asyncio.run(set_up_home(home))
    return home


async def set_up_home(home: Path) -> None:
    async with LocalServices(home):
        pass


def copy_home(finished: Path, to: Path) -> Place:
    # -a keeps the owner, whom root gave the files to.
    subprocess.run(["cp", "-a", str(finished), str(to)], check=True, timeout=60)
    return Place(DataFolder(to))


@pytest.fixture
async def place(finished_home: Path, tmp_path: Path) -> AsyncIterator[Place]:
    place = copy_home(finished_home, tmp_path / "home")
    yield place
    await place.clear()


@dataclass(frozen=True)
class Running:
    """Servers that nobody kills, where they lie and how they are reached."""

    place: Place
    addresses: ServiceAddresses


@pytest.fixture(scope="session")
def running(finished_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    place = copy_home(finished_home, tmp_path_factory.mktemp("running") / "home")
    yield Running(place, asyncio.run(place.services().start()))
    asyncio.run(place.clear())


@pytest.fixture
async def new_place(tmp_path: Path) -> AsyncIterator[Place]:
    place = Place(DataFolder(tmp_path / "home"))
    yield place
    await place.clear()


@contextlib.asynccontextmanager
async def database(addresses: ServiceAddresses) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(addresses.database_url, timeout=SECONDS)
    try:
        yield connection
    finally:
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=5)


@contextlib.asynccontextmanager
async def cache(addresses: ServiceAddresses) -> AsyncIterator[redis_client.Redis]:
    client = redis_client.Redis.from_url(
        addresses.redis_url, decode_responses=True, socket_timeout=SECONDS
    )
    try:
        yield client
    finally:
        await client.aclose()


async def keep_note(addresses: ServiceAddresses, text: str) -> None:
    async with database(addresses) as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS note (content text)")
        await connection.execute("INSERT INTO note VALUES ($1)", text)


async def notes(addresses: ServiceAddresses) -> list[str]:
    async with database(addresses) as connection:
        return [row["content"] for row in await connection.fetch("SELECT content FROM note")]
