"""Days that pass: one clock for the program and for a scratch database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta

from memory.store.queries import load_queries
from migrations.runner import owner_connection

_SQL = load_queries("clock", package="eval.life")


class SimulatedClock:
    """Goes on as any clock does, from noon of the day that it was set to; noon, so that it is the
    same day where the server counts in another time zone."""

    def __init__(self, tell: Callable[[timedelta], Awaitable[object]]) -> None:
        self._tell = tell
        self._ahead = timedelta(0)
        self._day: date | None = None

    def now(self) -> datetime:
        return (datetime.now(UTC) + self._ahead).astimezone()

    async def set_day(self, day: date) -> None:
        """On the day that it already is, time goes on as it does."""
        if day == self._day:
            return
        noon = datetime.combine(day, time(12)).astimezone()
        self._day, self._ahead = day, noon - datetime.now(UTC)
        await self._tell(self._ahead)


@asynccontextmanager
async def simulated_clock(owner_url: str) -> AsyncIterator[SimulatedClock]:
    """The clock of that database, for whoever connects to it from now on; it lasts as long as the
    database, so it belongs in one that is thrown away. Raises DatabaseUnavailable."""
    async with owner_connection(owner_url) as connection:
        await connection.execute(_SQL["install"])

        async def tell(ahead: timedelta) -> None:
            await connection.execute(_SQL["set_ahead"], ahead)

        yield SimulatedClock(tell)
