"""The turns of this process: where none may begin, how each is run, and which are under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import cast
from uuid import UUID

import structlog

from agent.assistant import Assistant
from agent.conversations.state import Question
from agent.turn import events
from app.api.events import DoneEvent, LearnedEvent, TextEvent, ToolEvent, TurnStartedEvent
from app.api.problems import describe_error
from app.api.streaming import ChatTurn, EndedTurns, RequestKey, TurnRequest
from app.telemetry.traces import bind_correlation_id
from memory.errors import (
    KeepsakeError,
    KeyReused,
    ServerStopping,
    TooBusy,
    TooManyTurns,
    TurnNotFound,
    TurnUnderWay,
)

_log = structlog.get_logger(__name__)


class ConversationLocks:
    """Conversations that are being deleted, each by several at once."""

    def __init__(self) -> None:
        self._shut: Counter[tuple[str, UUID]] = Counter()

    @contextmanager
    def shut(self, user_id: str, conversation_id: UUID) -> Iterator[None]:
        place = (user_id, conversation_id)
        self._shut[place] += 1
        try:
            yield
        finally:
            self._shut[place] -= 1
            self._shut += Counter()  # without what is zero

    def refuse(self, user_id: str, conversation_id: UUID) -> None:
        """Raises TurnUnderWay."""
        if (user_id, conversation_id) in self._shut:
            raise TurnUnderWay


RETRY_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)


class UnsavedReplyRetry:
    """Saves replies whose database went away once it is back, without waiting for another turn. One
    task at most; `save` raises what it can do nothing about for now."""

    def __init__(
        self, save: Callable[[], Awaitable[None]], pauses: tuple[float, ...] = RETRY_PAUSES
    ) -> None:
        self._save = save
        self._pauses = pauses
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Tries again and again, the last of the pauses apart in the end."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._try_again())

    async def aclose(self) -> None:
        """Tries no more; whoever owns the replies tries a last time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _try_again(self) -> None:
        tries = 0
        while True:
            await asyncio.sleep(self._pauses[min(tries, len(self._pauses) - 1)])
            tries += 1
            try:
                await self._save()
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("reply_still_unsaved", reason=str(error) or "timeout")
            except Exception as error:  # whatever it is, the next try may do better
                _log.error("saving_failed", exc_info=error)
            else:
                return


LEARNED_SECONDS = 10.0


class TurnRunner:
    """Runs a turn, and tells its listeners what the assistant tells. `unsaved` is called where a
    reply could not be stored."""

    def __init__(self, assistant: Assistant, unsaved: Callable[[], None]) -> None:
        self._assistant = assistant
        self._unsaved = unsaved

    async def answer(self, turn: ChatTurn) -> None:
        """The turn to its end, whatever happens. An error before its message is stored is its
        `failure`, and nothing is told; a later one is told after the end of the reply."""
        try:
            with bind_correlation_id(turn.id, self._assistant.tracer, "keepsake.turn"):
                await self._tell_all(turn)
        except Exception as error:
            _fail(turn, error)

    async def _tell_all(self, turn: ChatTurn) -> None:
        async with aclosing(self._events(turn)) as told:
            async for event in told:
                self._publish(turn, event)
                if isinstance(event, events.TurnClosed) and not event.saved:
                    self._unsaved()

    async def publish_learned(self, turn: ChatTurn) -> None:
        """What was learned from this turn, and from an earlier one too late to be told then;
        nothing where that takes longer than LEARNED_SECONDS."""
        asked = turn.asked
        with suppress(TimeoutError):
            async with asyncio.timeout(LEARNED_SECONDS):
                news = await self._assistant.news(asked.user_id, asked.conversation_id, asked.space)
                if news:
                    shown = self._shown(turn, news[-1].question)
                    turn.tell("learned", LearnedEvent.of(news), shown)

    def _events(self, turn: ChatTurn) -> AsyncGenerator[events.TurnEvent, None]:
        asked = turn.asked
        answering = self._assistant.answer(
            asked.user_id,
            asked.conversation_id,
            asked.text,
            asked.space,
            correlation_id=asked.turn_id,
            instead_of=asked.instead_of,
            zone=asked.zone,
            stop=turn.stopping,
        )
        return cast(AsyncGenerator[events.TurnEvent, None], answering)

    def _publish(self, turn: ChatTurn, event: events.TurnEvent) -> None:
        match event:
            case events.TurnOpened():
                turn.privacy = event.privacy
                opened = TurnStartedEvent(
                    turn_id=turn.id,
                    conversation_id=turn.asked.conversation_id,
                    privacy=event.privacy,
                    kept=event.is_kept,
                )
                turn.tell("turn", opened)
            case events.TextDelta(text):
                turn.tell("text", TextEvent(text=text))
            case events.ToolCalled(name):
                turn.tell("tool", ToolEvent.of(name))
            case events.TurnClosed():
                turn.clears_history = _clears_history(turn, event)
                turn.tell("done", DoneEvent.of(event), self._shown(turn, event.question))

    def _shown(self, turn: ChatTurn, question: Question | None) -> Callable[[], None] | None:
        """What is to be called when the question was sent to a listener."""
        asked = turn.asked
        if question is None:
            return None
        return partial(self._assistant.note_shown, asked.user_id, asked.conversation_id, question)


def _clears_history(turn: ChatTurn, closed: events.TurnClosed) -> bool:
    """Whether the conversation is incognito no more."""
    return turn.privacy != "normal" and closed.privacy == "normal"


def _fail(turn: ChatTurn, error: Exception) -> None:
    if turn.is_open:
        turn.tell("error", describe_error(error, f"/v1/chat/{turn.id}", turn.id))
    else:
        turn.failure = error


MAX_TURNS_OF_USER = 8
MAX_TURNS = 500
# What a stopped turn may take to store its reply: the run's end, and the saving.
CLOSE_SECONDS = 20.0


class TurnRegistry:
    """Owns the turns: a request that goes away does not end its turn, unless nobody has come back
    within `resume_seconds`. The events of a turn are kept for a while after its end; see
    `EndedTurns`."""

    def __init__(
        self,
        assistant: Assistant,
        *,
        resume_seconds: float,
        most_running: int = MAX_TURNS,
    ) -> None:
        self._saving = UnsavedReplyRetry(assistant.save_unsaved)
        self._answering = TurnRunner(assistant, self._saving.begin)
        self._resume_seconds = resume_seconds
        self._most_running = most_running
        self._running: dict[tuple[str, UUID], ChatTurn] = {}
        self._turns: dict[UUID, ChatTurn] = {}
        self._kept = EndedTurns(self._forget)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._shut = ConversationLocks()
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

    def begin(self, asked: TurnRequest) -> ChatTurn:
        """Begins to answer. Raises TurnUnderWay where the conversation is being answered already,
        TooManyTurns, TooBusy and ServerStopping."""
        self._refuse(asked)
        turn = ChatTurn(asked, self._resume_seconds)
        self._turns[turn.id] = turn
        self._running[_conversation_of(turn)] = turn
        self._tasks[turn.id] = asyncio.create_task(self._run(turn))
        return turn

    def earlier(self, user_id: str, keyed: RequestKey) -> ChatTurn | None:
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

    def discard_forgotten(self, user_id: str, turn_id: UUID | None) -> None:
        """Keeps nothing that may hold them, but for the turn that had them forgotten."""
        self.discard_events(user_id, but=turn_id)

    def discard_events(
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

    def _refuse(self, asked: TurnRequest) -> None:
        if self._stopping:
            raise ServerStopping
        place = (asked.user_id, asked.conversation_id)
        self._shut.refuse(*place)
        if place in self._running:
            raise TurnUnderWay
        if sum(user_id == asked.user_id for user_id, _ in self._running) >= MAX_TURNS_OF_USER:
            raise TooManyTurns(most=MAX_TURNS_OF_USER, retry_after=1)
        if len(self._running) >= self._most_running:
            raise TooBusy(retry_after=1)

    async def _run(self, turn: ChatTurn) -> None:
        try:
            await self._answering.answer(turn)
            self._close(turn)
            if turn.clears_history:
                self.discard_events(turn.asked.user_id, but=turn.id)
            if turn.is_open:
                await self._answering.publish_learned(turn)
        except Exception as error:  # nobody else looks at this task
            _log.error("turn_broken", exc_info=error)
        finally:
            self._close(turn)
            turn.end()
            self._keep(turn)

    def _close(self, turn: ChatTurn) -> None:
        """The conversation can be gone on with."""
        turn.closed.set()
        if self._running.get(_conversation_of(turn)) is turn:
            del self._running[_conversation_of(turn)]

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


def _conversation_of(turn: ChatTurn) -> tuple[str, UUID]:
    return turn.asked.user_id, turn.asked.conversation_id
