"""The assistant: an SDK agent with a memory, and the life of one turn around its run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID, uuid4

import structlog
from agents import Agent, Model, ModelSettings

from agent.context import TurnContext
from agent.events import TurnClosed, TurnEvent, TurnOpened
from agent.guardrails import message_guardrail, refuse_forged, reply_guardrail
from agent.run import Reply, run_agent
from agent.session import ConversationSession
from agent.tools import make_tools
from memory.cache.session import SessionCache
from memory.errors import KeepsakeError
from memory.service import Memory
from memory.store.conversations import NewMessage
from memory.text import storable
from memory.write.normalise import clean_message
from prompts import load_prompt

CLOSE_TIMEOUT = 10.0
KEEP_TIMEOUT = 2.0
NOT_SAVED = "The database went away before this reply was saved; it will be saved when it is back."
RATE_LIMITED = "Memory was not asked: more questions in a minute than the limit allows."
NO_MEMORY = "Memory could not be read just now; this answer was made without it."
Result = TypeVar("Result")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class AssistantSettings:
    max_results: int = 10
    min_relevance: float = 0.3
    token_budget: int = 1000
    history_messages: int = 20


@dataclass
class _Unsaved:
    session: ConversationSession
    reply: NewMessage


@dataclass
class Assistant:
    """Answers turns. Owns what goes on after a reply; `aclose` waits for it."""

    model: Model
    model_settings: ModelSettings
    memory: Memory
    cache: SessionCache
    settings: AssistantSettings
    _agent: Agent[TurnContext] = field(init=False)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _unsaved: list[_Unsaved] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._agent = self._make_agent()

    async def answer(
        self, user_id: str, conversation_id: UUID, text: str
    ) -> AsyncIterator[TurnEvent]:
        """One turn: stores what was said, streams the reply, stores it as far as it went.

        Raises MessageRefused and DatabaseUnavailable before anything is stored.
        ReplyFailed comes after the partial reply is stored. A caller that stops
        listening or is cancelled leaves an interrupted reply behind.
        """
        text = clean_message(text)
        refuse_forged(text)
        await self.save_unsaved()
        session = self._session(user_id, conversation_id)
        turn = self._context(user_id, conversation_id)
        opened = await session.open_turn(text, turn.correlation_id)
        turn.message_id = opened.id
        reply = Reply()
        closing: TurnClosed | None = None
        try:
            yield TurnOpened(turn.correlation_id)
            async with aclosing(run_agent(self._agent, text, turn, session, reply)) as events:
                async for event in events:
                    yield event
                    if reply.is_due(time.monotonic()):
                        await self._keep_so_far(session, turn, reply)
        finally:
            # A reply is stored even while the caller is being cancelled.
            closing = await asyncio.shield(self._own(self._close(session, turn, reply)))
        yield closing
        if reply.error is not None:
            raise reply.error

    async def aclose(self) -> None:
        """Waits for the work behind the replies and tries once more to save what is unsaved."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        late = list(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        try:
            await self.save_unsaved()
        except (KeepsakeError, TimeoutError) as error:
            _log.error("reply_lost", count=len(self._unsaved), reason=type(error).__name__)

    async def _close(
        self, session: ConversationSession, turn: TurnContext, reply: Reply
    ) -> TurnClosed:
        stored = await self._save(session, self._as_message(turn, reply))
        if stored:
            self._own(self.memory.embed_waiting(turn.user_id))
        return TurnClosed(
            status=reply.status,
            memories=tuple(turn.recalled),
            kept=tuple(turn.kept),
            notices=tuple(_notices(turn, stored)),
            saved=stored,
        )

    def _as_message(self, turn: TurnContext, reply: Reply) -> NewMessage:
        rested_on = tuple(
            {"item_id": item.id, "relevance": round(item.relevance_score, 4)}
            for item in turn.recalled
        )
        text = storable(reply.text)
        return NewMessage(
            "assistant", text, turn.correlation_id, reply.status, recalled=rested_on, id=reply.id
        )

    async def _keep_so_far(
        self, session: ConversationSession, turn: TurnContext, reply: Reply
    ) -> None:
        """Once a second of a long reply, so that a program that is killed leaves most of it."""
        try:
            async with asyncio.timeout(KEEP_TIMEOUT):
                await session.keep_reply(self._as_message(turn, reply))
        except Exception as error:  # the stream goes on; the reply is stored when it ends
            _log.warning("reply_not_kept_so_far", reason=type(error).__name__)

    async def _save(self, session: ConversationSession, message: NewMessage) -> bool:
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await session.close_turn(message)
        except Exception as error:  # whatever it is, the reply is not lost silently
            _log.error("reply_not_saved", reason=type(error).__name__)
            self._unsaved.append(_Unsaved(session, message))
            return False
        return True

    async def save_unsaved(self) -> None:
        """Stores the replies that could not be stored when they ended.

        Raises DatabaseUnavailable and keeps them; what the database refuses for good is given up.
        """
        while self._unsaved:
            waiting = self._unsaved.pop(0)
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT):
                    await waiting.session.close_turn(waiting.reply)
            except (KeepsakeError, TimeoutError, asyncio.CancelledError):
                self._unsaved.insert(0, waiting)
                raise
            except Exception as error:
                _log.error("reply_lost", reason=type(error).__name__)

    def _own(self, work: Coroutine[None, None, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _make_agent(self) -> Agent[TurnContext]:
        return Agent(
            name="Keepsake",
            instructions=load_prompt("assistant"),
            model=self.model,
            model_settings=self.model_settings,
            tools=list(make_tools()),
            input_guardrails=[message_guardrail],
            output_guardrails=[reply_guardrail],
        )

    def _session(self, user_id: str, conversation_id: UUID) -> ConversationSession:
        return ConversationSession(
            user_id,
            conversation_id,
            self.memory.conversations,
            self.cache,
            history_messages=self.settings.history_messages,
        )

    def _context(self, user_id: str, conversation_id: UUID) -> TurnContext:
        return TurnContext(
            user_id=user_id,
            conversation_id=conversation_id,
            correlation_id=uuid4(),
            memory=self.memory,
            max_results=self.settings.max_results,
            min_relevance=self.settings.min_relevance,
            token_budget=self.settings.token_budget,
        )


def _notices(turn: TurnContext, stored: bool) -> list[str]:
    notices = []
    if any(response.rate_limited for response in turn.recalls):
        notices.append(RATE_LIMITED)
    if any(response.error for response in turn.recalls):
        notices.append(NO_MEMORY)
    if not stored:
        notices.append(NOT_SAVED)
    return notices
