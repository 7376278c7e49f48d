"""One server as a process: is it alive, start it, end it. Which server, the modules beside say."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory.embedded import launcher
from memory.embedded.account import Account
from memory.embedded.file_lock import FileLock
from memory.embedded.identity import holders, runs_on
from memory.errors import ServiceStartFailed

_POLL = 0.01
_LOG_LIMIT = 1_000_000
_LOG_KEPT = 200_000
_LAUNCH_TIMEOUT = 20.0
# Nothing of the program's environment reaches the servers: PGDATA, LD_PRELOAD or a missing locale
# in it would change what they do, and its keys are none of their business.
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


@dataclass
class Process:
    """A server is alive as long as its lock file is locked: it and its children hold the lock.
    All of it is called with the `change` lock held, so that no two programs start or end one. A
    launcher inherits that lock until it is the server: were its program killed, the next one would
    otherwise find nothing alive and start the same beside it."""

    service: str
    data: Path
    lock: Path
    log: Path
    account: Account
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
        for pid in self._main() or holders(self.lock):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _main(self) -> list[int]:
        pid = self.pid
        return [pid] if pid is not None and runs_on(pid, self.data) else []

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
        order: launcher.Order = {
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
