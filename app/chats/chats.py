"""The turns of this process that are under way, or have just ended."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import structlog

from agent.assistant import Assistant
from app.chats.answering import Answering
from app.chats.saving import SavingLate
from app.chats.turn import Asked, ChatTurn
from memory.errors import (
    KeyReused,
    ServerStopping,
    TooManyTurns,
    TurnNotFound,
    TurnUnderWay,
)

KEPT_SECONDS = 60.0
MOST_KEPT = 500
MOST_RUNNING = 8
# What a stopped turn may take to store its reply: the run's end, and the saving.
CLOSE_SECONDS = 20.0
_log = structlog.get_logger(__name__)


class Chats:
    """Owns the turns: a request that goes away does not end its turn, unless nobody has come back
    within `resume_seconds`. The events of a turn are kept for KEPT_SECONDS after its end, of the
    last MOST_KEPT turns at most."""

    def __init__(self, assistant: Assistant, *, resume_seconds: float) -> None:
        self._saving = SavingLate(assistant.save_unsaved)
        self._answering = Answering(assistant, self._saving.begin)
        self._resume_seconds = resume_seconds
        self._running: dict[tuple[str, UUID], ChatTurn] = {}
        self._turns: OrderedDict[UUID, ChatTurn] = OrderedDict()
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._closed: Counter[tuple[str, UUID]] = Counter()
        self._stopping = False

    @property
    def running(self) -> int:
        """How many replies are being made."""
        return len(self._running)

    @property
    def listeners(self) -> int:
        """How many requests read the events of a turn."""
        return sum(turn.listeners for turn in self._turns.values())

    @property
    def stopping(self) -> bool:
        """Whether no new turn is taken any more."""
        return self._stopping

    def begin(self, asked: Asked) -> ChatTurn:
        """Begins to answer; the turn of an earlier request with the same key is given back as it
        is.

        Raises KeyReused, TurnUnderWay where the conversation is being answered already,
        TooManyTurns and ServerStopping.
        """
        if earlier := self._earlier(asked):
            return earlier
        self._refuse(asked)
        turn = ChatTurn(asked, self._resume_seconds)
        self._turns[turn.id] = turn
        self._running[_place(turn)] = turn
        self._tasks[turn.id] = asyncio.create_task(self._run(turn))
        return turn

    def find(self, user_id: str, turn_id: UUID) -> ChatTurn:
        """Raises TurnNotFound, also for a turn of another user."""
        turn = self._turns.get(turn_id)
        if turn is None or turn.asked.user_id != user_id or turn.failure is not None:
            raise TurnNotFound
        return turn

    def running_in(self, user_id: str, conversation_id: UUID) -> ChatTurn | None:
        """The turn by which a conversation is being answered."""
        return self._running.get((user_id, conversation_id))

    @asynccontextmanager
    async def closed(self, user_id: str, conversation_id: UUID) -> AsyncIterator[None]:
        """Stops what is under way in a conversation and waits until its reply is stored; no turn
        begins in it meanwhile. Raises TurnUnderWay where it does not come to its end."""
        place = (user_id, conversation_id)
        self._closed[place] += 1
        try:
            if turn := self._running.get(place):
                turn.stop()
                await self._wait_for([turn], CLOSE_SECONDS)
            if place in self._running:
                raise TurnUnderWay
            yield
        finally:
            self._closed[place] -= 1
            self._closed += Counter()  # without what is zero

    async def drop_user(self, user_id: str) -> None:
        """Stops what is under way for a user who is erased, and keeps no event of theirs."""
        theirs = [turn for turn in self._turns.values() if turn.asked.user_id == user_id]
        for turn in theirs:
            turn.stop()
        await self._wait_for(theirs, CLOSE_SECONDS)
        tasks = [self._tasks[turn.id] for turn in theirs if turn.id in self._tasks]
        for task in tasks:  # what is still learned is told by nobody
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for turn in theirs:
            self._drop(turn.id)

    async def drain(self, seconds: float) -> None:
        """Takes no new turn, and gives those under way that time to end by themselves; the rest is
        stopped, and stored as far as it went."""
        self._stopping = True
        await self._wait_for(self._running.values(), seconds)
        for turn in list(self._running.values()):
            turn.stop()
        await self._wait_for(self._running.values(), CLOSE_SECONDS)
        for task in self._tasks.values():  # what is still learned is told by nobody
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def aclose(self) -> None:
        """Stops what is under way at once, and keeps no event any more."""
        await self.drain(0.0)
        await self._saving.aclose()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._turns.clear()

    def _earlier(self, asked: Asked) -> ChatTurn | None:
        if asked.key is None:
            return None
        for turn in self._turns.values():
            if (turn.asked.user_id, turn.asked.key) == (asked.user_id, asked.key):
                if turn.asked.text != asked.text:
                    raise KeyReused
                return turn
        return None

    def _refuse(self, asked: Asked) -> None:
        if self._stopping:
            raise ServerStopping
        place = (asked.user_id, asked.conversation_id)
        if place in self._running or place in self._closed:
            raise TurnUnderWay
        if sum(user_id == asked.user_id for user_id, _ in self._running) >= MOST_RUNNING:
            raise TooManyTurns(most=MOST_RUNNING, retry_after=1)

    async def _run(self, turn: ChatTurn) -> None:
        try:
            await self._answering.answer(turn)
            self._close(turn)
            if turn.is_open:
                await self._answering.tell_learned(turn)
        except Exception as error:  # nobody else looks at this task
            _log.error("turn_broken", exc_info=error)
        finally:
            self._close(turn)
            turn.end()
            self._keep(turn)

    def _close(self, turn: ChatTurn) -> None:
        """The conversation can be gone on with."""
        turn.closed.set()
        if self._running.get(_place(turn)) is turn:
            del self._running[_place(turn)]

    def _keep(self, turn: ChatTurn) -> None:
        self._tasks.pop(turn.id, None)
        if turn.failure is not None:
            self._drop(turn.id)
            return
        self._turns.move_to_end(turn.id)
        loop = asyncio.get_running_loop()
        self._timers[turn.id] = loop.call_later(KEPT_SECONDS, self._drop, turn.id)
        while len(self._timers) > MOST_KEPT:
            self._drop(next(iter(self._timers)))

    def _drop(self, turn_id: UUID) -> None:
        """A listener that still reads has the turn itself."""
        self._turns.pop(turn_id, None)
        timer = self._timers.pop(turn_id, None)
        if timer is not None:
            timer.cancel()

    async def _wait_for(self, turns: Iterable[ChatTurn], seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for turn in list(turns):
                    await turn.closed.wait()


def _place(turn: ChatTurn) -> tuple[str, UUID]:
    return turn.asked.user_id, turn.asked.conversation_id
