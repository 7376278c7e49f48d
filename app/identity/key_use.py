"""On which day a key was last used, written behind the request that used it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from time import monotonic

import structlog

from memory.errors import KeepsakeError
from memory.store.api_keys import ApiKeys, LivingKey

PAUSE = 60.0
MOST_WAITING = 1000
CLOSE_TIMEOUT = 5.0
_log = structlog.get_logger(__name__)


class KeyUse:
    """A key is written once a day, by its first request; a day that could not be written is tried
    again by a later request, and none within a minute of the one before it."""

    def __init__(
        self, keys: ApiKeys, pause: float = PAUSE, clock: Callable[[], float] = monotonic
    ) -> None:
        self._keys = keys
        self._pause = pause
        self._clock = clock
        self._waiting: dict[LivingKey, date] = {}
        self._not_before = clock()
        self._task: asyncio.Task[None] | None = None

    def note(self, key: LivingKey, day: date) -> None:
        """Takes it without waiting."""
        if key.last_used_on is not None and key.last_used_on >= day:
            return
        if len(self._waiting) < MOST_WAITING:
            self._waiting[key] = day
        free = self._task is None or self._task.done()
        if free and self._clock() >= self._not_before:
            self._task = asyncio.create_task(self._write_all(), name="key use")

    async def aclose(self) -> None:
        """Writes what waits, in 5 seconds at most."""
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write_all(), name="key use")
        if self._task is None:
            return
        try:
            await asyncio.wait({self._task}, timeout=CLOSE_TIMEOUT)
        finally:
            self._task.cancel()
        await asyncio.wait({self._task})

    async def _write_all(self) -> None:
        """Its statements have the database's own time limit."""
        self._not_before = self._clock() + self._pause
        waiting, self._waiting = self._waiting, {}
        try:
            for key, day in waiting.items():
                await self._keys.note_use(key.user_id, key.id, day)
        except KeepsakeError as error:
            _log.warning("key_use_not_written", reason=str(error))
