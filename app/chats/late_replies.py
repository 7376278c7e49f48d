"""Replies whose database went away, saved when it is back, without waiting for another turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from memory.errors import KeepsakeError

PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
_log = structlog.get_logger(__name__)


class LateReplies:
    """One task at most; `save` raises what it can do nothing about for now."""

    def __init__(
        self, save: Callable[[], Awaitable[None]], pauses: tuple[float, ...] = PAUSES
    ) -> None:
        self._save = save
        self._pauses = pauses
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Tries again and again, the last of the pauses apart in the end."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._try_again())

    async def aclose(self) -> None:
        """Tries no more; whoever owns the replies tries a last time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _try_again(self) -> None:
        tries = 0
        while True:
            await asyncio.sleep(self._pauses[min(tries, len(self._pauses) - 1)])
            tries += 1
            try:
                await self._save()
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("reply_still_unsaved", reason=str(error) or "timeout")
            except Exception as error:  # whatever it is, the next try may do better
                _log.error("saving_failed", exc_info=error)
            else:
                return
