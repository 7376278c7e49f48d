"""The servers of one home, shared by all programs of their owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder
from memory.local_services.process import FileLock
from memory.local_services.servers import LocalServer, PostgresServer, ValkeyServer

# Another program may be setting up the database on a slow machine.
_CHANGE_SECONDS = 300.0


def _say_nothing(_: str) -> None:
    return


@dataclass(frozen=True)
class ServiceAddresses:
    """`database_url` is for asyncpg and libpq, `redis_url` for redis-py; empty for a service that
    was not asked for."""

    database_url: str
    redis_url: str


class LocalServices:
    """Two locks share the servers. Each program holds the users' lock, shared, for its life;
    whoever gets it exclusively is the last one, and stops them. The kernel lets a killed program's
    lock go, so that the next last one out stops what it left. Starting, reviving and stopping
    happen under the change lock, one program at a time."""

    def __init__(
        self,
        home: Path,
        *,
        postgres: bool = True,
        valkey: bool = True,
        progress: Callable[[str], None] = _say_nothing,
    ) -> None:
        self._home = DataFolder(home)
        self._chosen = (postgres, valkey)
        self._progress = progress
        self._using = FileLock(self._home.users_lock)

    async def start(self) -> ServiceAddresses:
        """Starts what does not run, and does the first set-up. A start that fails or is cancelled
        leaves no server behind that nobody else uses. Raises ServiceStartFailed."""
        await asyncio.to_thread(self._home.prepare)
        change = await self._begin_change()
        try:
            self._using.try_shared()
            for server in self._wanted(change):
                await server.ensure()
        except BaseException:
            self._withdraw(change)
            raise
        finally:
            change.release()
        return self._addresses(change)

    async def revive(self) -> list[str]:
        """Starts again whichever server is dead, and returns their names. Raises
        ServiceStartFailed."""
        await asyncio.to_thread(self._home.prepare)
        change = await self._begin_change()
        try:
            return [server.name for server in self._wanted(change) if await server.ensure()]
        finally:
            change.release()

    async def stop(self) -> None:
        """Gives the servers up; the last program to do so stops them. May be called again."""
        if not self._using.held:
            return
        if (
            not self._home.locks.exists()
        ):  # Somebody removed the data folder: nothing to look after.
            self._using.release()
            return
        change = await self._begin_change()
        try:
            self._using.release()
            if self._using.try_exclusive():
                await self._stop_all(change)
        finally:
            self._using.release()
            change.release()

    async def __aenter__(self) -> ServiceAddresses:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _begin_change(self) -> FileLock:
        change = FileLock(self._home.change_lock)
        try:
            await change.wait_exclusive(_CHANGE_SECONDS)
        except TimeoutError as error:
            raise ServiceStartFailed(
                service="services",
                reason="another Keepsake program has been starting or stopping them for"
                f" {_CHANGE_SECONDS:g} seconds; end it, or wait for it",
                log=self._home.logs,
            ) from error
        return change

    def _all(self, change: FileLock) -> tuple[LocalServer, ...]:
        return (
            PostgresServer(self._home, change, self._progress),
            ValkeyServer(self._home, change, self._progress),
        )

    def _wanted(self, change: FileLock) -> list[LocalServer]:
        pairs = zip(self._all(change), self._chosen, strict=True)
        return [server for server, chosen in pairs if chosen]

    def _addresses(self, change: FileLock) -> ServiceAddresses:
        pairs = zip(self._all(change), self._chosen, strict=True)
        return ServiceAddresses(*(server.address if chosen else "" for server, chosen in pairs))

    async def _stop_all(self, change: FileLock) -> None:
        """Also what this program did not ask for: nobody is left who did."""
        await asyncio.gather(*(server.end() for server in self._all(change)))

    def _withdraw(self, change: FileLock) -> None:
        """Never waits, since it also runs when the start is cancelled; the next start waits."""
        self._using.release()
        if self._using.try_exclusive():
            for server in self._all(change):
                server.drop()
        self._using.release()
