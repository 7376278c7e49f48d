"""A server as a process: locked by a file, found by its number and folder, started and ended.

The kernel lets a lock on a file go when its holder dies, however it dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory.errors import ServiceStartFailed
from memory.local_services import launcher
from memory.local_services.data_folder import ServiceAccount

_LOCK_POLL = 0.02


class FileLock:
    """A flock on one file, shared or exclusive, never waited for inside the kernel: a wait there
    could not be cancelled. Each object has its own hold, also within one program."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    @property
    def descriptor(self) -> int | None:
        """For a child to inherit: the lock is held until the child, too, has closed it."""
        return self._descriptor

    def try_shared(self) -> bool:
        return self._try(fcntl.LOCK_SH)

    def try_exclusive(self) -> bool:
        return self._try(fcntl.LOCK_EX)

    async def wait_exclusive(self, timeout: float) -> None:  # noqa: ASYNC109
        """`timeout` in seconds; raises TimeoutError."""
        async with asyncio.timeout(timeout):
            while not self.try_exclusive():  # noqa: ASYNC110 (other programs hold it)
                await asyncio.sleep(_LOCK_POLL)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _try(self, kind: int) -> bool:
        if self.held:
            return True
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return True


_PROC = Path("/proc")


def is_server_process(pid: int, data: Path) -> bool:
    """Whether process `pid` lives and was started on the folder `data`: a number alone may belong
    to another program by now. A dead one that nobody has collected (a zombie) has no command line,
    and does not count."""
    if (_PROC / "self").exists():
        try:
            return os.fsencode(data) in (_PROC / str(pid) / "cmdline").read_bytes()
        except OSError:
            return False
    shown = subprocess.run(  # noqa: S603
        ["/bin/ps", "-ww", "-o", "args=", "-p", str(pid)],
        capture_output=True,
        check=False,
        timeout=5,
    )
    return os.fsencode(data) in shown.stdout


def lock_holders(lock: Path) -> list[int]:
    """The other processes that have the file `lock` open, as far as this one may see them; none
    where the system has no /proc."""
    wanted = lock.stat()
    others = (path for path in _PROC.glob("[0-9]*") if path.name != str(os.getpid()))
    return [int(path.name) for path in others if _has_open(path, wanted)]


def _has_open(process: Path, wanted: os.stat_result) -> bool:
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:
        return False
    return any(_is_same(descriptor, wanted) for descriptor in descriptors)


def _is_same(descriptor: Path, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(descriptor.stat(), wanted)
    except OSError:
        return False


_POLL = 0.01
_LOG_LIMIT = 1_000_000
_LOG_KEPT = 200_000
_LAUNCH_TIMEOUT = 20.0
# Nothing of the program's environment reaches the servers: PGDATA, LD_PRELOAD or a missing locale
# in it would change what they do, and its keys are none of their business.
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


@dataclass
class ServerProcess:
    """A server is alive as long as its lock file is locked: it and its children hold the lock.
    All of it is called with the `change` lock held, so that no two programs start or end one. A
    launcher inherits that lock until it is the server: were its program killed, the next one would
    otherwise find nothing alive and start the same beside it."""

    service: str
    data: Path
    lock: Path
    log: Path
    account: ServiceAccount
    change: FileLock
    _said_before: int = field(default=0, init=False)

    def alive(self) -> bool:
        probe = FileLock(self.lock)
        free = probe.try_exclusive()
        probe.release()
        return not free

    @property
    def pid(self) -> int | None:
        """The number that the server wrote into its lock; to be believed while it is alive."""
        try:
            return int(self.lock.read_text().strip())
        except (OSError, ValueError):
            return None

    async def launch(
        self, command: Sequence[str | Path], folder: Path, reach: Sequence[Path]
    ) -> None:
        """Returns when the server is on its way, not when it is ready."""
        await asyncio.to_thread(self._trim_log)
        starting = await self._spawn(command, folder, reach, detach=True)
        await self._finish(starting, _LAUNCH_TIMEOUT)

    async def run(
        self,
        command: Sequence[str | Path],
        folder: Path,
        reach: Sequence[Path],
        *,
        text: str = "",
        timeout: float,  # noqa: ASYNC109
    ) -> None:
        """Runs a tool of the server's as the account, gives it `text`, and waits for it. What it
        says goes to the log. Ended with all its children when it is cancelled or takes longer than
        `timeout` seconds. Raises ServiceStartFailed."""
        running = await self._spawn(command, folder, reach, detach=False)
        await self._finish(running, timeout, text)

    async def wait(self, done: Callable[[], Awaitable[bool]], timeout: float) -> bool:  # noqa: ASYNC109
        """Polls until `done`; False after `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                while not await done():  # noqa: ASYNC110 (another process changes it)
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            return False
        return True

    def orphaned(self) -> bool:
        """Whether its main process is gone and only children of it still hold the lock, such as a
        PostgreSQL backend that finishes its query after the server was killed."""
        return self.alive() and not self._main()

    def signal(self, number: signal.Signals) -> None:
        """To the main process, or to its children when it is gone."""
        if not self.alive():
            return
        for pid in self._main() or lock_holders(self.lock):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _main(self) -> list[int]:
        pid = self.pid
        return [pid] if pid is not None and is_server_process(pid, self.data) else []

    def last_words(self) -> str:
        """What its last run said in the log that went wrong, for the sentence a person reads."""
        said = self.log.read_bytes()[self._said_before :].decode(errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        wrong = [line for line in lines if re.search("FATAL|PANIC|rror:", line)]
        return (wrong or lines or ["it ended without a word"])[-1]

    def failed(self, reason: str) -> ServiceStartFailed:
        return ServiceStartFailed(service=self.service, reason=reason, log=self.log)

    async def _spawn(
        self, command: Sequence[str | Path], folder: Path, reach: Sequence[Path], *, detach: bool
    ) -> asyncio.subprocess.Process:
        self._said_before = self.log.stat().st_size
        change = self.change.descriptor
        order: launcher.LaunchOrder = {
            "command": [str(part) for part in command],
            "folder": str(folder),
            "lock": str(self.lock),
            "log": str(self.log),
            "account": (self.account.uid, self.account.gid) if self.account.foreign else None,
            "reach": [str(path) for path in reach],
            "detach": detach,
            "change": change,
        }
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", launcher.__file__, json.dumps(order)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=_ENVIRONMENT,
            pass_fds=() if change is None else (change,),
            start_new_session=True,
        )

    async def _finish(
        self,
        process: asyncio.subprocess.Process,
        timeout: float,  # noqa: ASYNC109
        text: str = "",
    ) -> None:
        try:
            async with asyncio.timeout(timeout):
                _, complaint = await process.communicate(text.encode())
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            if isinstance(error, TimeoutError):
                raise self.failed(f"it took longer than {timeout:g} seconds") from error
            raise
        if process.returncode:
            raise self.failed(self._reason(process.returncode, complaint.decode(errors="replace")))

    def _reason(self, code: int, complaint: str) -> str:
        match code:
            case launcher.LOCK_IS_HELD:
                return "another copy of it is just starting or ending; try again in a moment"
            case launcher.UNREACHABLE | launcher.NOT_PERMITTED:
                return (
                    f"root runs it as another user, and {complaint.strip()}; set KEEPSAKE_HOME to a"
                    " folder that this user can enter, such as /var/lib/keepsake, install Keepsake"
                    " where everybody can read it, or do not run it as root"
                )
            case _:
                return complaint.strip() or self.last_words()

    def _trim_log(self) -> None:
        if self.log.stat().st_size > _LOG_LIMIT:
            self.log.write_bytes(self.log.read_bytes()[-_LOG_KEPT:])
