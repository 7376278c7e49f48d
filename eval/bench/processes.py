"""`python -m app serve` and `python -m app worker` as processes of their own, on the run's scratch
database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx2

from eval.errors import ServerNotStarted
from eval.system import System
from memory.config import Settings

SERVER_START_SECONDS = 60.0
STOP_SECONDS = 40.0
READY_PAUSE = 0.2
USER_HEADER = "X-Forwarded-User"
_PASSED_ON = ("PATH", "LANG", "HOME", "PYTHONPATH", "TMPDIR")


@dataclass(frozen=True)
class RunningServer:
    """A running server: where it is, and the number of its process."""

    url: str
    pid: int

    @property
    def resident_mb(self) -> float:
        """What it holds of the machine's memory, in MB of a million bytes (Linux alone)."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it used so far (Linux alone)."""
        fields = (
            Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.asynccontextmanager
async def running_server(system: System, model_url: str, log: Path) -> AsyncIterator[RunningServer]:
    """Users are named by a header from this machine (AUTH_MODE=proxy); the limits of one user are
    lifted, since a few stand for many. Raises ServerNotStarted."""
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "app",
        "serve",
        env=_environment(system, model_url, port),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=log.open("wb"),
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        await _until_ready(url, process, log)
        yield RunningServer(url, process.pid)
    finally:
        await _stop(process)


def _environment(system: System, model_url: str, port: int) -> dict[str, str]:
    settings = system.settings
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    own = {
        "KEEPSAKE_HOME": str(settings.keepsake_home),
        "DATABASE_URL": system.owner_url,
        "OPENAI_API_KEY": "scripted",
        "OPENAI_BASE_URL": model_url,
        "OPENAI_API": "chat_completions",
        "EMBEDDING_MODEL": system.model.name,
        "AUTH_MODE": "proxy",
        "PROXY_ADDRESSES": "127.0.0.1/32",
        "PROXY_USER_HEADER": USER_HEADER,
        "SERVE_PORT": str(port),
        "MEMORY_QUERIES_PER_MINUTE": "0",
        "CHATS_PER_MINUTE": "0",
        "API_REQUESTS_PER_MINUTE": "0",
    }
    if settings.redis_url is not None:
        own["REDIS_URL"] = settings.redis_url.get_secret_value()
    return passed | own


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def _until_ready(url: str, process: asyncio.subprocess.Process, log: Path) -> None:
    async with httpx2.AsyncClient(timeout=5.0) as client:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SERVER_START_SECONDS):
                while process.returncode is None:
                    with contextlib.suppress(httpx2.HTTPError):
                        if (await client.get(f"{url}/readyz")).is_success:
                            return
                    await asyncio.sleep(READY_PAUSE)
    raise ServerNotStarted(reason=await asyncio.to_thread(_last_line, log))


def _last_line(log: Path) -> str:
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return said[-1] if said else "it said nothing"


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


class WorkerProcesses:
    """So many at once over one database, each with the embedding model at that URL."""

    def __init__(
        self, settings: Settings, database_url: str, embedding_url: str, log: Path
    ) -> None:
        redis = settings.redis_url
        self._environment = {
            name: os.environ[name] for name in _PASSED_ON if name in os.environ
        } | {
            "KEEPSAKE_HOME": str(settings.keepsake_home),
            "DATABASE_URL": database_url,
            "OPENAI_BASE_URL": embedding_url,
            "OPENAI_API_KEY": "scripted",
            "WORKER_POLL_SECONDS": "1",
        }
        if redis is not None:
            self._environment["REDIS_URL"] = redis.get_secret_value()
        self._log = log
        self._running: list[asyncio.subprocess.Process] = []

    async def start(self, count: int) -> None:
        for _ in range(count):
            with self._log.open("ab") as log:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "app", "worker"),
                    env=self._environment,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=asyncio.subprocess.STDOUT,
                )
            self._running.append(process)

    async def kill_one(self, chosen: random.Random) -> None:
        """With -9, and without a word; another takes its place."""
        victim = self._running.pop(chosen.randrange(len(self._running)))
        victim.kill()
        await victim.wait()
        await self.start(1)

    async def stop(self) -> int:
        """How many did not end well when they were told to."""
        for process in self._running:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
        return sum([await _stopped_badly(process) for process in self._running])


async def _stopped_badly(process: asyncio.subprocess.Process) -> bool:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            return await process.wait() != 0
    except TimeoutError:
        process.kill()
        await process.wait()
        return True
