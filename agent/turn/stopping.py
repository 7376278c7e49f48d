"""Ending a turn early from outside of the task that listens to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Stop:
    """Of one turn. Its reply is then stored as far as it went, and the turn closes as it would by
    itself; a cancelled listener, on the other hand, is told nothing any more."""

    def __init__(self) -> None:
        self._wanted = False
        self._task: asyncio.Task[Any] | None = None

    @property
    def wanted(self) -> bool:
        return self._wanted

    def stop(self) -> None:
        """Ends the reply; without effect where it has ended."""
        if not self._wanted and self._task is not None:
            self._task.cancel()
        self._wanted = True

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """What a stop leaves early, also one that was wanted before it began. A cancellation by
        anybody else goes through, as with `asyncio.timeout`."""
        task = self._task = asyncio.current_task()
        assert task is not None
        if self._wanted:
            task.cancel()
        taken_back = False
        try:
            yield
        except asyncio.CancelledError:
            taken_back = self._wanted
            if not self._wanted or task.uncancel() > 0:
                raise
        finally:
            if self._wanted and not taken_back:  # it was swallowed, or another error came of it
                task.uncancel()
            self._task = None
