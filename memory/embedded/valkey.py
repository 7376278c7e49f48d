"""Valkey: a cache that keeps what it holds over a crash, on a socket of its own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from memory.embedded.file_lock import FileLock
from memory.embedded.home import Home
from memory.embedded.process import Process
from memory.embedded.server import Server, State, ask
from memory.embedded.wheels import valkey_server

_ANSWER_SECONDS = 2.0

# What is read here can be made again, so that a full cache drops what was used least instead of
# refusing writes. The append-only file is written before a reply goes out and reaches the disk
# each second: a killed server loses nothing, a power cut at most that second.
# `set-proc-title no` keeps the command line, by which a process number is checked before a signal.
_SETTINGS = """\
# Written by Keepsake at each start.
port 0
unixsocket "{socket}"
unixsocketperm 700
protected-mode yes
daemonize no
pidfile ""
logfile ""
loglevel warning
always-show-logo no
set-proc-title no
hide-user-data-from-log yes
maxmemory 64mb
maxmemory-policy allkeys-lru
save ""
appendonly yes
appendfsync everysec
aof-load-truncated yes
auto-aof-rewrite-min-size 16mb
"""


class Valkey(Server):
    name = "Valkey"
    endings = ((signal.SIGTERM, 15.0), (signal.SIGKILL, 5.0))

    def __init__(self, home: Home, change: FileLock, progress: Callable[[str], None]) -> None:
        process = Process(
            service=self.name,
            data=home.valkey_data,
            lock=home.valkey_lock,
            log=home.valkey_log,
            account=home.account,
            change=change,
        )
        super().__init__(home, process, progress)

    @property
    def address(self) -> str:
        """A URL for redis-py."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def _socket(self) -> Path:
        return self.home.sockets / "valkey.sock"

    async def launch(self) -> None:
        data = self.home.valkey_data
        program = await asyncio.to_thread(valkey_server)
        settings = data / "valkey.conf"
        text = _SETTINGS.format(socket=self._socket)
        await asyncio.to_thread(self.home.write, settings, text)
        # It keeps its files in the folder it is started in, so that their path needs no quoting.
        await self.process.launch((program, settings), data, (data, self.home.sockets))

    async def state(self) -> State:
        match await ask(self._socket, b"PING\r\n", _ANSWER_SECONDS):
            case None | b"":
                return State.DEAF
            case answer if answer.startswith(b"+PONG"):
                return State.READY
            case _:
                return State.COMING
