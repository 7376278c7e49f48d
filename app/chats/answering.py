"""Runs a turn, and tells its listeners what the assistant tells."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import cast

from agent.assistant import Assistant
from agent.turn import events
from app.chats.events import (
    DoneEvent,
    LearnedEvent,
    TextEvent,
    ToolEvent,
    TurnEvent,
)
from app.chats.turn import ChatTurn
from app.server.problems import described
from app.telemetry.correlation import known_as

LEARNED_SECONDS = 10.0


class Answering:
    """`unsaved` is called where a reply could not be stored."""

    def __init__(self, assistant: Assistant, unsaved: Callable[[], None]) -> None:
        self._assistant = assistant
        self._unsaved = unsaved

    async def answer(self, turn: ChatTurn) -> None:
        """The turn to its end, whatever happens. An error before its message is stored is its
        `failure`, and nothing is told; a later one is told after the end of the reply."""
        try:
            with known_as(turn.id, self._assistant.tracer, "keepsake.turn"):
                await self._tell_all(turn)
        except Exception as error:
            _fail(turn, error)

    async def _tell_all(self, turn: ChatTurn) -> None:
        async with aclosing(self._events(turn)) as told:
            async for event in told:
                _tell(turn, event)
                if isinstance(event, events.TurnClosed) and not event.saved:
                    self._unsaved()

    async def tell_learned(self, turn: ChatTurn) -> None:
        """What was learned from this turn, and from an earlier one too late to be told then;
        nothing where that takes longer than LEARNED_SECONDS."""
        asked = turn.asked
        with suppress(TimeoutError):
            async with asyncio.timeout(LEARNED_SECONDS):
                news = await self._assistant.news(asked.user_id, asked.conversation_id, asked.space)
                if news:
                    turn.tell("learned", LearnedEvent.of(news))

    def _events(self, turn: ChatTurn) -> AsyncGenerator[events.TurnEvent, None]:
        asked = turn.asked
        answering = self._assistant.answer(
            asked.user_id,
            asked.conversation_id,
            asked.text,
            asked.space,
            correlation_id=asked.turn_id,
            instead_of=asked.instead_of,
            stop=turn.stopping,
        )
        return cast(AsyncGenerator[events.TurnEvent, None], answering)


def _tell(turn: ChatTurn, event: events.TurnEvent) -> None:
    match event:
        case events.TurnOpened():
            turn.privacy = event.privacy
            opened = TurnEvent(
                turn_id=turn.id,
                conversation_id=turn.asked.conversation_id,
                privacy=event.privacy,
            )
            turn.tell("turn", opened)
        case events.TextDelta(text):
            turn.tell("text", TextEvent(text=text))
        case events.ToolCalled(name):
            turn.tell("tool", ToolEvent.of(name))
        case events.TurnClosed():
            turn.unsays = _unsays(turn, event)
            turn.tell("done", DoneEvent.of(event))


def _unsays(turn: ChatTurn, closed: events.TurnClosed) -> bool:
    """Whether all was erased, or the conversation is incognito no more."""
    return closed.erased or (turn.privacy != "normal" and closed.privacy == "normal")


def _fail(turn: ChatTurn, error: Exception) -> None:
    if turn.is_open:
        turn.tell("error", described(error, f"/v1/chat/{turn.id}", turn.id))
    else:
        turn.failure = error
