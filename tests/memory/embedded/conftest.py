"""Real servers in a folder of the test's own; none of them outlives it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
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


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 60.0) -> None:
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
        async with asyncio.timeout(60):
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

    async def set_up() -> None:
        async with LocalServices(home):
            pass

    asyncio.run(set_up())
    return home


def copy_home(finished: Path, to: Path) -> Place:
    # -a keeps the owner, whom root gave the files to.
    subprocess.run(["cp", "-a", str(finished), str(to)], check=True, timeout=60)
    return Place(DataFolder(to))


@pytest.fixture
async def place(finished_home: Path, tmp_path: Path) -> AsyncIterator[Place]:
    place = copy_home(finished_home, tmp_path / "home")
    yield place
    await place.clear()


@pytest.fixture
async def new_place(tmp_path: Path) -> AsyncIterator[Place]:
    place = Place(DataFolder(tmp_path / "home"))
    yield place
    await place.clear()


@contextlib.asynccontextmanager
async def database(addresses: ServiceAddresses) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(addresses.database_url, timeout=60)
    try:
        yield connection
    finally:
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=60)


@contextlib.asynccontextmanager
async def cache(addresses: ServiceAddresses) -> AsyncIterator[redis_client.Redis]:
    client = redis_client.Redis.from_url(
        addresses.redis_url, decode_responses=True, socket_timeout=60
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
