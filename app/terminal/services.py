"""The services under a chat: one that has died is started again, where it is ours to start."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from app.wiring import Keepsake
from memory.errors import CacheUnavailable, DatabaseUnavailable, ServiceStartFailed

Answer = TypeVar("Answer")
_log = structlog.get_logger(__name__)


class Services:
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

    async def look_after_cache(self, say: Callable[[str], None]) -> None:
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
