"""The sign of life of who does the work: a file whose age a health check looks at."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import structlog

from app.runner import Shutdown
from memory.config import Settings
from memory.errors import InvalidInput

_log = structlog.get_logger(__name__)

BEAT_SECONDS = 5.0
FRESH_SECONDS = 30.0


def heartbeat_file(home: Path) -> Path:
    return home / "worker.alive"


def background_heartbeat_file(home: Path) -> Path:
    """Of a chat or a server that does the jobs itself; no health check of a worker takes it."""
    return home / "work-behind.alive"


@contextlib.asynccontextmanager
async def heartbeat(file: Path) -> AsyncIterator[None]:
    """Touches the file every five seconds, also while one round takes long or the database is
    away: it says that the loop runs. What a round waits for has time limits of its own."""
    task = asyncio.create_task(_beat(file), name="heartbeat")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
        await asyncio.to_thread(file.unlink, missing_ok=True)


async def check_heartbeat(settings: Settings, _leaving: Shutdown) -> int:
    """0 where a worker is alive. Raises InvalidInput where none is."""
    reason = why_not_alive(heartbeat_file(settings.keepsake_home), time.time())
    if reason is not None:
        raise InvalidInput(reason=reason)
    print("The worker is alive.", flush=True)  # noqa: T201
    return 0


def why_not_alive(file: Path, now: float) -> str | None:
    """None where the file was touched within thirty seconds before `now` (epoch seconds)."""
    try:
        age = now - file.stat().st_mtime
    except OSError:
        return "No worker runs on this home; start one with: python -m app worker"
    if age > FRESH_SECONDS:
        return f"The worker has given no sign of life for {age:.0f} seconds; restart it."
    return None


async def _beat(file: Path) -> None:
    while True:
        try:
            await asyncio.to_thread(file.touch, 0o600)
        except OSError as error:
            _log.error("no_heartbeat", reason=error.strerror)
        await asyncio.sleep(BEAT_SECONDS)
