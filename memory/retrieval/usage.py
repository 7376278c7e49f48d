"""Usage counts and last scores, written behind a recall, which never waits for or fails by them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

import structlog

from memory.store.memories import StoredScores, UsageDelta
from memory.types import ScoreParts

WRITE_TIMEOUT = 5.0
CLOSE_TIMEOUT = 5.0
PAUSE = 1.0
MOST_WAITING = 10_000
_log = structlog.get_logger(__name__)


class UsageStore(Protocol):
    """Where usage is written to; `memory.store.memories.MemoryUsage`."""

    @property
    def is_writable(self) -> bool: ...

    async def note(self, user_id: str, used: Mapping[UUID, UsageDelta]) -> None: ...


class UsageWriter:
    """Collects what was recalled and writes it in a task of its own, one user at a time.

    A write begins `pause` seconds after what it writes; what is noted meanwhile goes with it.
    Several recalls of a memory
    become one row with their sum. At most `most_waiting` memories wait: above it the one noted
    first is dropped. A write that fails or is late is given up, since a count is worth less than a
    queue that grows; `lost` says of how many memories. No task runs before the first note, nor
    while nothing waits. Where the store may not be written to, nothing is taken.
    """

    def __init__(
        self,
        store: UsageStore,
        *,
        write_timeout: float = WRITE_TIMEOUT,
        close_timeout: float = CLOSE_TIMEOUT,
        pause: float = PAUSE,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._store = store
        self._write_timeout = write_timeout
        self._close_timeout = close_timeout
        self._pause = pause
        self._hurry = asyncio.Event()
        self._most_waiting = most_waiting
        self._waiting: dict[str, dict[UUID, UsageDelta]] = {}
        self._size = 0
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.lost = 0

    def note(
        self, user_id: str, recalled: Iterable[tuple[UUID, ScoreParts]], now: datetime
    ) -> None:
        """Takes what a recall returned, without waiting. `now` is when it ran, not a moment that
        was asked about: the scores count as fresh for a day from then."""
        if self._closed or not self._store.is_writable:
            return
        for item_id, parts in recalled:
            self._add(user_id, item_id, UsageDelta(1, _scores(parts, now)))
        self._drop(self._size - self._most_waiting)
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write_all(), name="usage")

    async def flush(self) -> None:
        """Waits until what was noted is written or given up, and does not put it off."""
        self._hurry.set()
        while self._task is not None and not self._task.done():
            await asyncio.wait({self._task})
        self._hurry.clear()

    async def aclose(self) -> None:
        """Takes nothing more, and leaves `close_timeout` seconds for what waits."""
        self._closed = True
        self._hurry.set()
        if self._task is None:
            return
        try:
            await asyncio.wait({self._task}, timeout=self._close_timeout)
        finally:
            self._task.cancel()
        await asyncio.wait({self._task})
        self._drop(self._size)

    def _add(self, user_id: str, item_id: UUID, used: UsageDelta) -> None:
        items = self._waiting.setdefault(user_id, {})
        if item_id in items:
            items[item_id] = items[item_id].then(used)
        else:
            items[item_id] = used
            self._size += 1

    def _drop(self, count: int) -> None:
        """Drops so many of those that were noted first."""
        for _ in range(count):
            user_id = next(iter(self._waiting))
            items = self._waiting[user_id]
            del items[next(iter(items))]
            if not items:
                del self._waiting[user_id]
        if count > 0:
            self._size -= count
            self._lose(count, "closed" if self._closed else "too many wait")

    async def _write_all(self) -> None:
        while self._waiting:
            await self._put_off()
            user_id = next(iter(self._waiting))
            items = self._waiting.pop(user_id)
            self._size -= len(items)
            await self._write(user_id, items)

    async def _put_off(self) -> None:
        """A write beside the next recall would slow that, and one for several is as good."""
        try:
            async with asyncio.timeout(self._pause):
                await self._hurry.wait()
        except TimeoutError:
            return

    async def _write(self, user_id: str, items: Mapping[UUID, UsageDelta]) -> None:
        try:
            async with asyncio.timeout(self._write_timeout):
                await self._store.note(user_id, items)
        except Exception as error:  # whatever it was, the next user's is still to be written
            self._lose(len(items), type(error).__name__)
        except asyncio.CancelledError:
            self._lose(len(items), "closed")
            raise

    def _lose(self, count: int, reason: str) -> None:
        self.lost += count
        _log.warning("usage_not_written", count=count, reason=reason)


def _scores(parts: ScoreParts, now: datetime) -> StoredScores:
    """The three parts with their plain sum: the scale of the capacity, which sets them against
    recomputed ones, whatever weights the ranking has."""
    total = parts.relevance + parts.recency + parts.importance
    return StoredScores(parts.relevance, parts.recency, parts.importance, total, now)
