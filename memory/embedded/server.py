"""What PostgreSQL and Valkey have in common: be brought up, be asked, be ended."""

from __future__ import annotations

import asyncio
import enum
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from memory.embedded.home import Home
from memory.embedded.process import Process

# A server that is alive and does not answer may be between two states, or have lost its socket.
_DEAF_SECONDS = 2.0
_FIRST_ANSWER_SECONDS = 30.0
# Recovery after a crash replays at most `max_wal_size`; a slow disk needs its time.
_RECOVERY_SECONDS = 120.0


class State(enum.Enum):
    READY = enum.auto()
    COMING = enum.auto()  # it says that it is not ready yet
    DEAF = enum.auto()  # no answer at its socket


class Server(ABC):
    """One server on one home. Everything here is called with the change lock held."""

    name: ClassVar[str]
    # How to ask it to end, from polite to not, with the seconds that each is given. None of these
    # loses what was acknowledged.
    endings: ClassVar[tuple[tuple[signal.Signals, float], ...]]

    def __init__(self, home: Home, process: Process, progress: Callable[[str], None]) -> None:
        self.home = home
        self.process = process
        self.progress = progress

    @property
    @abstractmethod
    def address(self) -> str: ...

    @abstractmethod
    async def launch(self) -> None: ...

    @abstractmethod
    async def state(self) -> State: ...

    async def ensure(self) -> bool:
        """Brings it up where it is not; True when that was needed. Raises ServiceStartFailed."""
        if self.process.alive():
            orphaned = await asyncio.to_thread(self.process.orphaned)
            if not orphaned and await self._comes_up(_DEAF_SECONDS):
                return False
            if not await self.end():
                raise self.process.failed("its last run still does not end; try again in a moment")
        await self.launch()
        if not await self._comes_up(_FIRST_ANSWER_SECONDS):
            await self.end()
            raise self.process.failed(await asyncio.to_thread(self.process.last_words))
        return True

    def drop(self) -> None:
        """Ends it without waiting or asking twice, for a start that is cancelled."""
        self.process.signal(self.endings[-1][0])

    async def end(self) -> bool:
        """False when it, or a child of it, lives on in spite of everything."""
        for number, patience in self.endings:
            await asyncio.to_thread(self.process.signal, number)
            if await self.process.wait(self._gone, patience):
                return True
        return False

    async def _comes_up(self, deaf: float) -> bool:
        if await self.process.wait(self._settled, deaf):
            return self.process.alive()
        if await self.state() is State.COMING:
            self.progress(f"{self.name} is not ready yet; waiting for it…")
            if not await self.process.wait(self._no_longer_coming, _RECOVERY_SECONDS):
                raise self.process.failed("it is still recovering its data; try again later")
        return self.process.alive() and await self.state() is State.READY

    async def _settled(self) -> bool:
        return not self.process.alive() or await self.state() is State.READY

    async def _no_longer_coming(self) -> bool:
        return not self.process.alive() or await self.state() is not State.COMING

    async def _gone(self) -> bool:
        return not self.process.alive()


async def ask(socket: Path, question: bytes, timeout: float) -> bytes | None:  # noqa: ASYNC109
    """What a server answers first at its socket, or None when nobody listens there or no answer
    comes within `timeout` seconds."""
    try:
        async with asyncio.timeout(timeout):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(question)
                return await reader.read(4096)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
