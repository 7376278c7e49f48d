"""The turns of this process that are under way, or have just ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import structlog

from agent.assistant import Assistant
from app.chats.answering import Answering
from app.chats.ended_turns import KeptTurns
from app.chats.late_replies import LateReplies
from app.chats.shut import Shut
from app.chats.turn import Asked, ChatTurn, Keyed
from memory.errors import (
    KeyReused,
    ServerStopping,
    TooBusy,
    TooManyTurns,
    TurnNotFound,
    TurnUnderWay,
)

MOST_RUNNING = 8
MOST_RUNNING_OF_ALL = 500
# What a stopped turn may take to store its reply: the run's end, and the saving.
CLOSE_SECONDS = 20.0
_log = structlog.get_logger(__name__)


class Chats:
    """Owns the turns: a request that goes away does not end its turn, unless nobody has come back
    within `resume_seconds`. The events of a turn are kept for a while after its end; see
    `KeptTurns`."""

    def __init__(
        self,
        assistant: Assistant,
        *,
        resume_seconds: float,
        most_running: int = MOST_RUNNING_OF_ALL,
    ) -> None:
        self._saving = LateReplies(assistant.save_unsaved)
        self._answering = Answering(assistant, self._saving.begin)
        self._resume_seconds = resume_seconds
        self._most_running = most_running
        self._running: dict[tuple[str, UUID], ChatTurn] = {}
        self._turns: dict[UUID, ChatTurn] = {}
        self._kept = KeptTurns(self._forget)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._shut = Shut()
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
        """Begins to answer. Raises TurnUnderWay where the conversation is being answered already,
        TooManyTurns, TooBusy, BeingErased and ServerStopping."""
        self._refuse(asked)
        turn = ChatTurn(asked, self._resume_seconds)
        self._turns[turn.id] = turn
        self._running[_place(turn)] = turn
        self._tasks[turn.id] = asyncio.create_task(self._run(turn))
        return turn

    def earlier(self, user_id: str, keyed: Keyed) -> ChatTurn | None:
        """The turn of the same request with the same key. Raises KeyReused where the key came with
        another one."""
        for turn in self._turns.values():
            known = turn.asked.keyed
            if known is not None and (turn.asked.user_id, known.key) == (user_id, keyed.key):
                if known.request != keyed.request:
                    raise KeyReused
                return turn
        return None

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
        with self._shut.shut(*place):
            if turn := self._running.get(place):
                turn.stop()
                await self._wait_for([turn], CLOSE_SECONDS)
            if place in self._running:
                raise TurnUnderWay
            yield

    @asynccontextmanager
    async def closed_user(self, user_id: str) -> AsyncIterator[None]:
        """Stops what is under way for a user who is erased, and keeps no event of theirs; nothing
        is begun for them meanwhile."""
        with self._shut.shut(user_id):
            await self._drop_user(user_id)
            yield

    async def _drop_user(self, user_id: str) -> None:
        theirs = [turn for turn in self._turns.values() if turn.asked.user_id == user_id]
        for turn in theirs:
            turn.stop()
        await self._wait_for(theirs, CLOSE_SECONDS)
        tasks = [self._tasks[turn.id] for turn in theirs if turn.id in self._tasks]
        for task in tasks:  # what is still learned is told by nobody
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for turn in theirs:
            self._kept.drop(turn.id)

    def words_forgotten(self, user_id: str, turn_id: UUID | None) -> None:
        """Keeps nothing that may hold them, but for the turn that had them forgotten."""
        self.drop_told(user_id, but=turn_id)

    def drop_told(
        self, user_id: str, conversation_id: UUID | None = None, but: UUID | None = None
    ) -> None:
        """Keeps no event of what was answered so far, in all conversations or in one, since words
        of it were forgotten. Whoever listens still hears the end; a turn that is under way can be
        gone on with until then."""
        for turn in list(self._turns.values()):
            asked = turn.asked
            elsewhere = conversation_id not in (None, asked.conversation_id)
            if asked.user_id != user_id or elsewhere or turn.id == but:
                continue
            turn.lasts = False
            if turn.closed.is_set():
                self._kept.drop(turn.id)

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
        self._kept.clear()
        self._turns.clear()

    def _refuse(self, asked: Asked) -> None:
        if self._stopping:
            raise ServerStopping
        place = (asked.user_id, asked.conversation_id)
        self._shut.refuse(*place)
        if place in self._running:
            raise TurnUnderWay
        if sum(user_id == asked.user_id for user_id, _ in self._running) >= MOST_RUNNING:
            raise TooManyTurns(most=MOST_RUNNING, retry_after=1)
        if len(self._running) >= self._most_running:
            raise TooBusy(retry_after=1)

    async def _run(self, turn: ChatTurn) -> None:
        try:
            await self._answering.answer(turn)
            self._close(turn)
            if turn.unsays:
                self.drop_told(turn.asked.user_id, but=turn.id)
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
        if turn.failure is None and turn.lasts:
            self._kept.keep(turn)
        else:
            self._forget(turn.id)

    def _forget(self, turn_id: UUID) -> None:
        """A listener that still reads has the turn itself."""
        self._turns.pop(turn_id, None)

    async def _wait_for(self, turns: Iterable[ChatTurn], seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for turn in list(turns):
                    await turn.closed.wait()


def _place(turn: ChatTurn) -> tuple[str, UUID]:
    return turn.asked.user_id, turn.asked.conversation_id
