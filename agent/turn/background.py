"""What goes on behind the replies: owned here, and waited for when the program ends."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import structlog

CLOSE_TIMEOUT = 10.0
Result = TypeVar("Result")
_log = structlog.get_logger(__name__)


class Background:
    """Tasks that outlive the turn which began them, but not the program."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def own(self, work: Coroutine[None, None, Result]) -> asyncio.Task[Result]:
        """Begins the work at once. Where it fails, that is logged: nobody may be waiting for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def aclose(self) -> None:
        """Waits CLOSE_TIMEOUT seconds for what is under way, then cancels the rest."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        late = list(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Logs no message of an error, which could quote what was said."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            *_, frame = traceback.extract_tb(error.__traceback__)
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            _log.error("background_failed", reason=type(error).__name__, place=place)
