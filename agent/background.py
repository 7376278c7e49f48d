"""What goes on behind the replies: owned here, and waited for when the program ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

CLOSE_TIMEOUT = 10.0
Result = TypeVar("Result")


class Background:
    """Tasks that outlive the turn which began them, but not the program."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def own(self, work: Coroutine[None, None, Result]) -> asyncio.Task[Result]:
        """Begins the work at once."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
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
