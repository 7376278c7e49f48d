"""One turn that is under way or has just ended: its numbered events, and who listens to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from uuid import UUID

from pydantic import BaseModel

from agent.turn.stopping import Stop
from app.chats.events import EndEvent, EventName
from app.chats.told import Events, Told
from memory.models import Privacy


@dataclass(frozen=True)
class Keyed:
    """An Idempotency-Key, and the whole request that it came with."""

    key: str
    request: str


@dataclass(frozen=True)
class Asked:
    """A message to be answered, and whose it is."""

    user_id: str
    conversation_id: UUID
    space: str
    text: str
    turn_id: UUID
    instead_of: UUID | None = None
    keyed: Keyed | None = None


class ChatTurn:
    """The events are kept once, whoever listens: a slow listener reads them late, and holds nobody
    up. When the last listener has been gone for `resume_seconds`, the turn is stopped. `closed`
    says that its reply is stored, or cannot be for now; what was learned from it may still come.
    `unsays` says that words of other turns went by it, `lasts` that its own events may be kept."""

    def __init__(self, asked: Asked, resume_seconds: float) -> None:
        self.asked = asked
        self.stopping = Stop()
        self.failure: Exception | None = None
        self.privacy: Privacy = "normal"
        self.closed = asyncio.Event()
        self.ended = False
        self.unsays = False
        self.lasts = True
        self._resume_seconds = resume_seconds
        self._events = Events()
        self._news = asyncio.Event()
        self._seats = 0
        self._forsaken: asyncio.TimerHandle | None = None

    @property
    def id(self) -> UUID:
        return self.asked.turn_id

    @property
    def listeners(self) -> int:
        return self._seats

    @property
    def is_open(self) -> bool:
        """Whether anything was told."""
        return bool(self._events)

    @property
    def size(self) -> int:
        """What its events take in memory when it has ended, about, in bytes."""
        return self._events.size

    def tell(self, name: EventName, data: BaseModel) -> None:
        """Adds an event for everybody who listens or will."""
        self._events.add(name, data)
        self._wake()

    def end(self) -> None:
        """Nothing is told any more; a turn that never opened has no stream at all."""
        if self._events:
            self.tell("end", EndEvent())
        self._events.join()
        self.ended = True
        self.closed.set()
        self._stop_waiting()
        self._wake()

    def stop(self) -> None:
        """The reply ends here; the stream then ends by itself."""
        self.stopping.stop()

    async def opened(self) -> None:
        """Waits for the first event; `privacy` is known then. Raises the error that came in its
        place."""
        while not self._events and not self.ended:
            await self._news.wait()
        if self.failure is not None:
            raise self.failure

    def sit_down(self) -> Callable[[], None]:
        """Somebody listens from now on, until the returned function is called."""
        self._seats += 1
        self._stop_waiting()
        return self._stand_up

    async def follow(self, after: int = 0) -> AsyncIterator[Told]:
        """The events after that number as they come, to the end."""
        place = after
        while True:
            news = self._news
            while told := self._events.next_after(place):
                place = told.number
                yield told
            if self.ended:
                return
            await news.wait()

    def _stand_up(self) -> None:
        self._seats -= 1
        if self._seats == 0 and not self.closed.is_set():
            loop = asyncio.get_running_loop()
            self._forsaken = loop.call_later(self._resume_seconds, self.stop)

    def _stop_waiting(self) -> None:
        if self._forsaken is not None:
            self._forsaken.cancel()
            self._forsaken = None

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
