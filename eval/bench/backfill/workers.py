"""`python -m app worker` as processes that are killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from pathlib import Path

from memory.settings import Settings

_PASSED_ON = ("PATH", "LANG", "HOME", "PYTHONPATH", "TMPDIR")
STOP_SECONDS = 40.0


class Workers:
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
        return sum([await _ended_badly(process) for process in self._running])


async def _ended_badly(process: asyncio.subprocess.Process) -> bool:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            return await process.wait() != 0
    except TimeoutError:
        process.kill()
        await process.wait()
        return True
