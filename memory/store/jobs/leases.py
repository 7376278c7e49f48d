"""Whose a job is: only who holds it says what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from memory.store.queries import load_queries

Fetch: TypeAlias = Callable[..., Awaitable[list[dict[str, Any]]]]
_SQL = load_queries("jobs/leases")


class Leases:
    """Of one worker, the `holder`. `fetch` is of a connection that acts as the worker.

    Of one that stood still for longer than its lease others took the jobs: what it says of them
    then changes nothing.
    """

    def __init__(self, fetch: Fetch, holder: UUID) -> None:
        self._fetch = fetch
        self._holder = holder

    async def renew(self, ids: Iterable[int]) -> set[int]:
        """Those that are still this worker's, for another lease."""
        rows = await self._fetch(_SQL["renew"], list(ids), self._holder)
        return {row["id"] for row in rows}

    async def take(self, job_id: int, most: int) -> int | None:
        """Notes down that the job is begun, and says how often it was before without coming back:
        at most `most`. None where it is not this worker's any more."""
        rows = await self._fetch(_SQL["take"], job_id, self._holder, most)
        return rows[0]["takings"] if rows else None

    async def put_back(
        self, job_id: int, pause: timedelta, why: str, *, failed: bool, came_back: bool
    ) -> None:
        """To be tried again after the pause, by whoever takes it. `failed` counts an attempt; where
        it did not come back, but was ended, its taking stays counted."""
        await self._fetch(_SQL["put_back"], job_id, self._holder, pause, failed, came_back, why)

    async def give_back_all(self) -> None:
        """For who has none in hand, so that what it still holds are those that it could not say
        anything of when the database went: nothing is counted."""
        await self._fetch(_SQL["give_back_all"], self._holder)
