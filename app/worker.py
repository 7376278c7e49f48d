"""`python -m app worker`: what can wait, for all users, until a signal ends it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from datetime import UTC, datetime

import structlog

from app.heartbeat import beating, heartbeat_file
from app.leaving import Leaving
from app.wiring import Keepsake, open_keepsake
from memory.errors import DatabaseUnavailable, SchemaOutdated
from memory.service import Memory
from memory.settings import Settings
from memory.upkeep.everyone import Everyone

MAX_PAUSE_SECONDS = 60.0
_log = structlog.get_logger(__name__)


async def work(settings: Settings, leaving: Leaving) -> int:
    """Ends with 0 on SIGTERM, which is how a container is stopped."""
    try:
        async with beating(heartbeat_file(settings.keepsake_home)):
            await _work_on(settings)
    except asyncio.CancelledError:
        if leaving.signal is not signal.SIGTERM:
            raise
    _log.info("worker stopped")
    return 0


async def _work_on(settings: Settings) -> None:
    """Opens the program again and again: a database that is away or not migrated yet is waited
    for, twice as long each time, up to a minute."""
    pauses = growing_pauses(settings.worker_poll_seconds)
    while True:
        try:
            async with open_keepsake(settings, _log_progress) as keepsake:
                _log.info("worker started", home=settings.keepsake_home)
                pauses = growing_pauses(settings.worker_poll_seconds)
                await _rounds(keepsake)
        except (DatabaseUnavailable, SchemaOutdated) as error:
            pause = next(pauses)
            _log.warning("waiting", seconds=pause, reason=str(error))
            await asyncio.sleep(pause)


async def _rounds(keepsake: Keepsake) -> None:
    """Raises DatabaseUnavailable as soon as the database is away."""
    while True:
        await work_once(keepsake.everyone, keepsake.memory, datetime.now(UTC))
        await asyncio.sleep(keepsake.settings.worker_poll_seconds)


async def work_once(everyone: Everyone, memory: Memory, now: datetime) -> None:
    """Fills vectors, sweeps what is known of requests, erases what is due, and learns from what was
    left waiting. Raises DatabaseUnavailable."""
    if filled := await everyone.embed_waiting():
        _log.info("vectors filled", count=filled)
    if swept := await everyone.sweep_requests(now):
        _log.info("requests swept", count=swept)
    for user_id in await everyone.users_with_due(now):
        erased = await memory.erase_due(user_id)
        _log.info("memories erased", count=erased)
    for user_id in await everyone.users_waiting_to_learn(now):
        await memory.relearn(user_id)
        learned = await memory.learn_waiting(user_id)
        _log.info("messages learned from", count=learned)


def growing_pauses(first: float) -> Iterator[float]:
    pause = first
    while True:
        yield pause
        pause = min(pause * 2, MAX_PAUSE_SECONDS)


def _log_progress(text: str) -> None:
    _log.info("setting up", what=text)
