"""Something that Ctrl-C stops, and that is left to tidy up once it has been stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Stoppable:
    """A task that is cancelled at most once: a second cancellation would cut short the storing of
    the reply that the first one interrupted."""

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.create_task(work)
        self.stopped = False

    def stop(self) -> None:
        if not self.stopped:
            self.stopped = True
            self._task.cancel()

    async def finish(self) -> None:
        """Waits for it, raising what it raises unless it was stopped. Cancelled while it waits,
        it stops the task, lets it tidy up, and is cancelled then."""
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            self.stop()
            await asyncio.wait({self._task})
            if not self._task.cancelled():
                self._task.exception()  # looked at: a terminal that hung up cannot be written to
            raise
        if not self._task.cancelled():
            self._task.result()
