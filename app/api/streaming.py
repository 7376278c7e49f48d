"""One turn as numbered events: who listens to them, how long they are kept, and how a turn is told
again when they are gone."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timezone
from itertools import accumulate, groupby
from typing import TypeAlias
from uuid import UUID

from pydantic import BaseModel

from agent.turn.events import StopSignal
from app.api.events import CitedMemory, DoneEvent, EndEvent, EventName, TextEvent, TurnStartedEvent
from memory.errors import TurnNotFound
from memory.store.conversations import MessageWithSources
from memory.types import Privacy

# What an event takes besides its data, about.
_OVERHEAD = 150


@dataclass(frozen=True)
class StreamEvent:
    """An event as it is sent: its number, its name, and its data as JSON. `sent` is called when
    that was done."""

    number: int
    name: EventName
    data: str
    sent: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class JoinedText:
    """The text of events that followed each other, as one. `number` is the last one's; `ends` says
    where each of them ends in it, so that it can be gone on with after any of them."""

    number: int
    text: str
    ends: tuple[int, ...]

    def after(self, number: int) -> StreamEvent:
        heard = len(self.ends) - (self.number - number)
        rest = self.text[self.ends[heard - 1] if heard > 0 else 0 :]
        return StreamEvent(self.number, "text", TextEvent(text=rest).model_dump_json())


BufferedEvent: TypeAlias = StreamEvent | JoinedText


class EventBuffer:
    """`size` is what they take in memory once they are joined, about, in bytes."""

    def __init__(self) -> None:
        self.size = 0
        self._kept: list[BufferedEvent] = []

    def __bool__(self) -> bool:
        return bool(self._kept)

    def add(self, name: EventName, data: BaseModel, sent: Callable[[], None] | None = None) -> None:
        number = self._kept[-1].number + 1 if self._kept else 1
        self._kept.append(StreamEvent(number, name, data.model_dump_json(), sent))

    def next_after(self, number: int) -> StreamEvent | None:
        """The first one that is not known to whoever has heard as far as that."""
        place = bisect_right(self._kept, number, key=lambda each: each.number)
        if place == len(self._kept):
            return None
        found = self._kept[place]
        return found if isinstance(found, StreamEvent) else found.after(number)

    def join(self) -> None:
        """Texts that follow each other are one from now on. Their numbers stay."""
        told = (each for each in self._kept if isinstance(each, StreamEvent))
        groups = groupby(told, key=lambda each: each.name == "text")
        self._kept = [kept for is_text, group in groups for kept in _join(is_text, group)]
        self.size = sum(map(_size, self._kept))


def _size(kept: BufferedEvent) -> int:
    return _OVERHEAD + len(kept.data if isinstance(kept, StreamEvent) else kept.text)


def _join(is_text: bool, group: Iterable[StreamEvent]) -> Iterator[BufferedEvent]:
    if not is_text:
        yield from group
        return
    all_told = list(group)
    texts = [TextEvent.model_validate_json(each.data).text for each in all_told]
    ends = tuple(accumulate(len(text) for text in texts))
    yield JoinedText(all_told[-1].number, "".join(texts), ends)


@dataclass(frozen=True)
class RequestKey:
    """An Idempotency-Key, and the whole request that it came with."""

    key: str
    request: str


@dataclass(frozen=True)
class TurnRequest:
    """A message to be answered, and whose it is."""

    user_id: str
    conversation_id: UUID
    space: str
    text: str
    turn_id: UUID
    instead_of: UUID | None = None
    keyed: RequestKey | None = None
    zone: timezone | None = None


class ChatTurn:
    """The events are kept once, whoever listens: a slow listener reads them late, and holds nobody
    up. When the last listener has been gone for `resume_seconds`, the turn is stopped. `closed`
    says that its reply is stored, or cannot be for now; what was learned from it may still come.
    `clears_history` says that words of other turns went by it, `lasts` that its own events may be
    kept."""

    def __init__(self, asked: TurnRequest, resume_seconds: float) -> None:
        self.asked = asked
        self.stopping = StopSignal()
        self.failure: Exception | None = None
        self.privacy: Privacy = "normal"
        self.closed = asyncio.Event()
        self.ended = False
        self.clears_history = False
        self.lasts = True
        self._resume_seconds = resume_seconds
        self._events = EventBuffer()
        self._news = asyncio.Event()
        self._subscribers = 0
        self._abandon_timer: asyncio.TimerHandle | None = None

    @property
    def id(self) -> UUID:
        return self.asked.turn_id

    @property
    def listeners(self) -> int:
        return self._subscribers

    @property
    def is_open(self) -> bool:
        """Whether anything was told."""
        return bool(self._events)

    @property
    def size(self) -> int:
        """What its events take in memory when it has ended, about, in bytes."""
        return self._events.size

    def tell(
        self, name: EventName, data: BaseModel, sent: Callable[[], None] | None = None
    ) -> None:
        """Adds an event for everybody who listens or will; `sent` is called each time that it was
        sent to one."""
        self._events.add(name, data, sent)
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

    def subscribe(self) -> Callable[[], None]:
        """Somebody listens from now on, until the returned function is called."""
        self._subscribers += 1
        self._stop_waiting()
        return self._unsubscribe

    async def follow(self, after: int = 0) -> AsyncIterator[StreamEvent]:
        """The events after that number as they come, to the end."""
        place = after
        while True:
            news = self._news
            while told := self._events.next_after(place):
                place = told.number
                yield told
                if told.sent is not None:
                    told.sent()
            if self.ended:
                return
            await news.wait()

    def _unsubscribe(self) -> None:
        self._subscribers -= 1
        if self._subscribers == 0 and not self.closed.is_set():
            loop = asyncio.get_running_loop()
            self._abandon_timer = loop.call_later(self._resume_seconds, self.stop)

    def _stop_waiting(self) -> None:
        if self._abandon_timer is not None:
            self._abandon_timer.cancel()
            self._abandon_timer = None

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


KEPT_SECONDS = 60.0
MAX_ENDED_TURNS = 500
MAX_ENDED_BYTES = 64 * 1024**2


@dataclass(frozen=True)
class _EndedTurn:
    size: int
    timer: asyncio.TimerHandle


class EndedTurns:
    """Each for KEPT_SECONDS, the last MAX_ENDED_TURNS of them at most, and of those as many as take
    no more than `most_bytes`, but always the last one. `forget` is called with what goes."""

    def __init__(
        self, forget: Callable[[UUID], None], *, most_bytes: int = MAX_ENDED_BYTES
    ) -> None:
        self._forget = forget
        self._most_bytes = most_bytes
        self._kept: dict[UUID, _EndedTurn] = {}

    def keep(self, turn: ChatTurn) -> None:
        loop = asyncio.get_running_loop()
        self._kept[turn.id] = _EndedTurn(
            turn.size, loop.call_later(KEPT_SECONDS, self.drop, turn.id)
        )
        while self._exceed_limits():
            self.drop(next(iter(self._kept)))

    def drop(self, turn_id: UUID) -> None:
        """Also one that is not kept."""
        kept = self._kept.pop(turn_id, None)
        if kept is not None:
            kept.timer.cancel()
        self._forget(turn_id)

    def clear(self) -> None:
        for turn_id in list(self._kept):
            self.drop(turn_id)

    def _exceed_limits(self) -> bool:
        taken = sum(each.size for each in self._kept.values())
        return len(self._kept) > MAX_ENDED_TURNS or (
            len(self._kept) > 1 and taken > self._most_bytes
        )


def replay_turn(
    user_id: str, turn_id: UUID, said: Sequence[MessageWithSources], memories: Sequence[CitedMemory]
) -> ChatTurn:
    """The reply as one piece of text, and its end; what a turn did to memory is not told twice.
    Raises TurnNotFound where nothing of it is left."""
    if not said:
        raise TurnNotFound
    first = said[0].message
    reply = next((each.message for each in said if each.message.role == "assistant"), None)
    asked = TurnRequest(user_id, first.conversation_id, "", "", turn_id)
    turn = ChatTurn(asked, resume_seconds=0.0)
    turn.tell(
        "turn",
        TurnStartedEvent(turn_id=turn_id, conversation_id=first.conversation_id, privacy="normal"),
    )
    status = "interrupted" if reply is None else reply.status
    if reply is not None and status != "withheld":
        turn.tell("text", TextEvent(text=reply.content))
    turn.tell(
        "done",
        DoneEvent(
            status=status, saved=reply is not None, privacy="normal", memories=list(memories)
        ),
    )
    turn.end()
    return turn
