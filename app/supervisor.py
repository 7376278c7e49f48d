"""The services under a program: one that has died is started again, where it is ours to start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from app.bootstrap import Keepsake
from app.tasks import exponential_backoff
from memory.errors import CacheUnavailable, DatabaseUnavailable, KeepsakeError, ServiceStartFailed

Answer = TypeVar("Answer")
_log = structlog.get_logger(__name__)


class ServiceReviver:
    """Of one running program."""

    def __init__(self, keepsake: Keepsake) -> None:
        self._keepsake = keepsake
        self._cache_away = False

    async def reviving(
        self, action: Callable[[], Awaitable[Answer]], say: Callable[[str], None]
    ) -> Answer:
        """Does it, and once more if the database was down and could be started again. Raises
        DatabaseUnavailable where it is not ours to start, and ServiceStartFailed."""
        try:
            return await action()
        except DatabaseUnavailable:
            started = await self._revive()
            if not started:
                raise
            say(f"{' and '.join(started)} had stopped and was started again.")
            return await action()

    async def check_cache(self, say: Callable[[str], None]) -> None:
        """Starts a dead embedded Valkey again without a word; of a Redis that is somebody else's
        says once that it is away."""
        try:
            await self._keepsake.cache.ping()
            self._cache_away = False
        except CacheUnavailable as error:
            if not self._cache_away and not await self._revived_quietly():
                self._cache_away = True
                say(str(error))

    async def _revived_quietly(self) -> bool:
        try:
            return bool(await self._revive())
        except ServiceStartFailed as error:
            _log.error("not revived", reason=str(error))
            return False

    async def _revive(self) -> list[str]:
        started = await self._keepsake.revive()
        if started:
            _log.warning("services revived", names=started)
        return started


CHECK_PAUSE_SECONDS = 2.0
Action = Callable[[], Awaitable[object]]


async def supervise(keepsake: Keepsake, pause: float = CHECK_PAUSE_SECONDS) -> None:
    """Looks every `pause` seconds whether the services that are ours to start answer, until it is
    cancelled. What was left unsaved is saved as soon as the database is back."""
    settings = keepsake.settings
    watched = []
    if settings.database_url is None:
        watched.append(
            _watch_service(_database(keepsake), keepsake.revive, _save_unsaved(keepsake), pause)
        )
    if settings.redis_url is None:
        watched.append(_watch_service(keepsake.cache.ping, keepsake.revive, _nothing, pause))
    async with asyncio.TaskGroup() as group:
        for each in watched:
            group.create_task(each)


async def _watch_service(ping: Action, revive: Action, afterwards: Action, pause: float) -> None:
    pauses = exponential_backoff(pause)
    while True:
        try:
            if await _answers(ping):
                pauses = exponential_backoff(pause)
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


def _save_unsaved(keepsake: Keepsake) -> Action:
    return keepsake.assistant.save_unsaved


async def _nothing() -> None:
    return
