"""Embedded services that died under a server are started again, without a restart of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from app.process.pauses import growing_pauses
from app.wiring import Keepsake
from memory.errors import CacheUnavailable, DatabaseUnavailable, KeepsakeError

PAUSE_SECONDS = 2.0
Action = Callable[[], Awaitable[object]]
_log = structlog.get_logger(__name__)


async def look_after(keepsake: Keepsake, pause: float = PAUSE_SECONDS) -> None:
    """Looks every `pause` seconds whether the services that are ours to start answer, until it is
    cancelled. What was left unsaved is saved as soon as the database is back."""
    settings = keepsake.settings
    watched = []
    if settings.database_url is None:
        watched.append(_watch(_database(keepsake), keepsake.revive, _saving(keepsake), pause))
    if settings.redis_url is None:
        watched.append(_watch(keepsake.cache.ping, keepsake.revive, _nothing, pause))
    async with asyncio.TaskGroup() as group:
        for each in watched:
            group.create_task(each)


async def _watch(ping: Action, revive: Action, afterwards: Action, pause: float) -> None:
    pauses = growing_pauses(pause)
    while True:
        try:
            if await _answers(ping):
                pauses = growing_pauses(pause)
                await asyncio.sleep(pause)
                continue
            if started := await revive():
                _log.warning("services revived", names=started)
            await ping()
            await afterwards()
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("not revived", reason=str(error) or "timeout")
        except Exception as error:  # nobody looks at this task: it says so and goes on
            _log.error("watching failed", exc_info=error)
        await asyncio.sleep(next(pauses))


async def _answers(ping: Action) -> bool:
    try:
        await ping()
    except (DatabaseUnavailable, CacheUnavailable):
        return False
    return True


def _database(keepsake: Keepsake) -> Action:
    return lambda: keepsake.memory.space_settings("-", keepsake.settings.keepsake_space)


def _saving(keepsake: Keepsake) -> Action:
    return keepsake.assistant.save_unsaved


async def _nothing() -> None:
    return
