"""PostgreSQL with pgvector: made once, started on a socket that only its owner can reach."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from memory.embedded.file_lock import FileLock
from memory.embedded.home import Home
from memory.embedded.identity import runs_on
from memory.embedded.process import Process
from memory.embedded.server import Server, State, ask
from memory.embedded.wheels import postgres_folder

OWNER = "keepsake_owner"
DATABASE = "keepsake"
_PORT = 5432
_SETUP_SECONDS = 300.0
_ANSWER_SECONDS = 2.0

# The first message of PostgreSQL's protocol (version 3.0), and the field of its answer that says
# that it starts, ends or recovers. Any other refusal comes from a server that works.
_HELLO_BODY = struct.pack("!i", 196608) + b"user\0%b\0database\0postgres\0\0" % OWNER.encode()
_HELLO = struct.pack("!i", 4 + len(_HELLO_BODY)) + _HELLO_BODY
_CANNOT_CONNECT_NOW = b"C57P03\0"

# No password, and every local role is let in: what protects the server is that its socket lies in
# a folder with mode 0700, which only its owner (and root) can enter. A password would have to lie
# in a file beside it, readable to exactly the same people.
_AUTHENTICATION = ("--auth-local=trust", "--auth-host=reject")
_LOCALE = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
_INITDB = ("-U", OWNER, *_AUTHENTICATION, *_LOCALE, "--no-instructions")
_SINGLE = ("-c", "exit_on_error=on", "template1")

# Durability (fsync, synchronous_commit, full_page_writes) is PostgreSQL's own: on.
# Of statements, parameters and the DETAIL of errors nothing is logged, for they hold what people
# told their assistant: `log` leaves out errors (the program gets those itself) and keeps starts,
# ends and crashes; `terse` leaves out DETAIL, where a crash would quote the statement.
_SETTINGS = """\
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


class Postgres(Server):
    name = "PostgreSQL"
    # A fast shutdown; then an immediate one, after which the next start replays the log. The fast
    # one can hang for ever where it meets a server that is just recovering (seen with 18.6).
    endings = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 10.0))

    def __init__(self, home: Home, change: FileLock, progress: Callable[[str], None]) -> None:
        process = Process(
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
        return f"postgresql://{OWNER}@/{DATABASE}?host={quote(str(self.home.sockets))}&port={_PORT}"

    @property
    def _socket(self) -> Path:
        return self.home.sockets / f".s.PGSQL.{_PORT}"

    async def launch(self) -> None:
        data = self.home.postgres_data
        installed = await asyncio.to_thread(postgres_folder)
        if not (data / "PG_VERSION").exists():
            await self._set_up(installed)
        await asyncio.to_thread(self._clear_remains)
        await asyncio.to_thread(self._write_settings)
        command = (installed / "bin" / "postgres", "-D", data)
        await self.process.launch(command, data, self._reach(installed))

    async def state(self) -> State:
        """By the last line of postmaster.pid while it starts, and then by whether it lets somebody
        in: the file outlives a killed server, and says `ready` all through a recovery."""
        try:
            file = self.home.postgres_data / "postmaster.pid"
            lines = (await asyncio.to_thread(file.read_text)).split()
        except OSError:
            return State.COMING
        if lines[:1] != [str(self.process.pid)] or lines[-1:] not in (["ready"], ["stopping"]):
            return State.COMING
        answer = await ask(self._socket, _HELLO, _ANSWER_SECONDS)
        if not answer or lines[-1:] == ["stopping"]:
            return State.DEAF
        return State.COMING if _CANNOT_CONNECT_NOW in answer else State.READY

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
                (installed / "bin" / "postgres", "--single", "-D", partial, *_SINGLE),
                f"CREATE DATABASE {DATABASE};\n",
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
            if (pid := _first_number(file)) and runs_on(pid, self.home.postgres_data):
                raise self.process.failed(
                    f"process {pid} serves the same data; end it with pg_ctl stop"
                )
            file.unlink(missing_ok=True)

    def _write_settings(self) -> None:
        text = _SETTINGS.format(port=_PORT, sockets=self.home.sockets)
        self.home.write(self.home.postgres_data / "postgresql.conf", text)

    def _reach(self, installed: Path) -> tuple[Path, ...]:
        return (*(installed / name for name in ("bin", "lib", "share")), self.home.sockets)


def _first_number(file: Path) -> int | None:
    try:
        return int(file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
