"""The assistant: an SDK agent with a memory, and the life of one turn around its run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from agents import Agent, Model, ModelSettings

from agent.background import Background
from agent.commands.understand import Wish, understand
from agent.context import TurnContext
from agent.dialogue import Dialogue, Dialogues
from agent.events import TextDelta, TurnClosed, TurnEvent, TurnOpened
from agent.guardrails import message_guardrail, refuse_forged, reply_guardrail
from agent.learning import Learning
from agent.plain_words.commands import Command
from agent.replies import Replies
from agent.run import run_agent
from agent.session import ConversationSession
from agent.tools import make_tools
from agent.turn import Turn
from memory.cache import NoCache
from memory.cache.session import SessionCache
from memory.models import DEFAULT_SPACE, KeptItem, Privacy
from memory.secrets import redact
from memory.service import Memory
from memory.write.normalise import clean_message
from prompts import load_prompt

SETTLE_SECONDS = 5.0


@dataclass(frozen=True)
class AssistantSettings:
    max_results: int = 10
    min_relevance: float = 0.3
    token_budget: int = 1000
    history_messages: int = 20
    learn_timeout: float = 60.0


@dataclass(frozen=True)
class Obeyed:
    """What a command answered, and what was forgotten by it; `erased` where that is everything."""

    text: str
    forgotten: tuple[KeptItem, ...] = ()
    erased: bool = False


@dataclass
class Assistant:
    """Answers turns. Owns what goes on after a reply; `aclose` waits for it."""

    model: Model
    model_settings: ModelSettings
    memory: Memory
    cache: SessionCache
    settings: AssistantSettings
    _agent: Agent[TurnContext] = field(init=False)
    _background: Background = field(default_factory=Background, init=False)
    _replies: Replies = field(default_factory=Replies, init=False)
    _dialogues: Dialogues = field(default_factory=Dialogues, init=False)
    _learning: Learning = field(init=False)

    def __post_init__(self) -> None:
        self._agent = self._make_agent()
        self._learning = Learning(self._background, self.settings.learn_timeout)

    async def answer(
        self, user_id: str, conversation_id: UUID, text: str, space: str = DEFAULT_SPACE
    ) -> AsyncIterator[TurnEvent]:
        """One turn: stores what was said, obeys it or streams the reply, stores that as far as
        it went.

        Raises MessageRefused and DatabaseUnavailable before anything is stored.
        ReplyFailed comes after the partial reply is stored. A caller that stops
        listening or is cancelled leaves an interrupted reply behind.
        """
        text = clean_message(text)
        refuse_forged(text)
        await self._replies.save_unsaved()
        dialogue = self._dialogues.of(user_id, conversation_id, space)
        wish = understand(text, dialogue)
        if wish is not None:
            await self._learning.settle(user_id, conversation_id, SETTLE_SECONDS)
        turn = await self._begin(user_id, conversation_id, dialogue, text, wish)
        await turn.open()
        closing: TurnClosed | None = None
        try:
            yield TurnOpened(turn.context.correlation_id)
            async with aclosing(self._reply(turn)) as events:
                async for event in events:
                    yield event
                    if turn.reply.is_due(time.monotonic()):
                        await self._replies.keep_so_far(turn.session, turn.as_message())
        finally:
            # A reply is stored even while the caller is being cancelled.
            closing = await asyncio.shield(self._background.own(self._close(turn)))
        yield closing
        if turn.reply.error is not None:
            raise turn.reply.error

    async def obey(
        self, user_id: str, conversation_id: UUID, command: Command, space: str = DEFAULT_SPACE
    ) -> Obeyed:
        """Does what a front door has a button for, and says so; nothing of it is stored as talk.

        What it asks is answered by the next message. Raises DatabaseUnavailable.
        """
        await self._learning.settle(user_id, conversation_id, SETTLE_SECONDS)
        dialogue = self._dialogues.of(user_id, conversation_id, space)
        dialogue.question = None
        turn = await self._begin(user_id, conversation_id, dialogue, "", Wish(command))
        said = await Wish(command).obey(turn.context)
        turn.context.note_mentions()
        if turn.context.erased:
            self._dialogues.drop_user(user_id)
        return Obeyed(said, tuple(turn.context.forgotten), turn.context.erased)

    async def noticed(self, user_id: str, conversation_id: UUID, space: str) -> list[str]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked, as sentences; waits for what is being learned at this moment."""
        await self._learning.settle(user_id, conversation_id, self.settings.learn_timeout)
        dialogue = self._dialogues.of(user_id, conversation_id, space)
        told, dialogue.noticed = dialogue.noticed, []
        return told

    def privacy(self, user_id: str, conversation_id: UUID, space: str) -> Privacy:
        return self._dialogues.of(user_id, conversation_id, space).privacy

    def begin_privately(
        self, user_id: str, conversation_id: UUID, space: str, privacy: Privacy
    ) -> None:
        """How a conversation begins where nobody has said anything yet."""
        self._dialogues.of(user_id, conversation_id, space).privacy = privacy

    async def save_unsaved(self) -> None:
        """See `Replies.save_unsaved`."""
        await self._replies.save_unsaved()

    async def aclose(self) -> None:
        """Waits for the work behind the replies and tries once more to save what is unsaved."""
        await self._background.aclose()
        await self._replies.aclose()

    async def _begin(
        self,
        user_id: str,
        conversation_id: UUID,
        dialogue: Dialogue,
        text: str,
        wish: Wish | None,
    ) -> Turn:
        """A turn with the memory that the conversation's privacy leaves it."""
        memory = self.memory.in_privacy(dialogue.privacy)
        known = await memory.space_settings(user_id, dialogue.space)
        context = TurnContext(
            user_id=user_id,
            conversation_id=conversation_id,
            correlation_id=uuid4(),
            memory=memory,
            dialogue=dialogue,
            mode=known.memory_mode,
            max_results=self.settings.max_results,
            min_relevance=self.settings.min_relevance,
            token_budget=self.settings.token_budget,
        )
        return Turn(text, wish, context, self._session(context), known)

    async def _reply(self, turn: Turn) -> AsyncGenerator[TurnEvent, None]:
        if turn.wish is not None:
            turn.reply.text = await turn.wish.obey(turn.context)
            turn.reply.status = "complete"
            yield TextDelta(turn.reply.text)
            return
        events = run_agent(self._agent, turn.text, turn.context, turn.session, turn.reply)
        async with aclosing(events):
            async for event in events:
                yield event

    async def _close(self, turn: Turn) -> TurnClosed:
        if turn.context.erased:
            self._dialogues.drop_user(turn.context.user_id)
            return turn.closed(stored=True)
        if turn.context.forgotten:
            turn.session.mistrust_history()
        stored = turn.opened is None or await self._replies.save(turn.session, turn.as_message())
        turn.context.note_mentions()
        self._go_on_behind(turn)
        return turn.closed(stored)

    def _go_on_behind(self, turn: Turn) -> None:
        """Learns from what was said and embeds it, while the user already reads the reply."""
        opened, dialogue = turn.opened, turn.context.dialogue
        if opened is None:
            return
        if turn.wish is None:
            dialogue.last_said, dialogue.last_words = opened.id, redact(turn.text)
        if turn.learns:
            said_at = opened.created_at.astimezone()
            self._learning.begin(turn.context, redact(turn.text), said_at)
        if dialogue.privacy == "normal":
            self._background.own(self.memory.embed_waiting(turn.context.user_id))

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

    def _session(self, turn: TurnContext) -> ConversationSession:
        private = turn.dialogue.privacy != "normal"
        return ConversationSession(
            turn.user_id,
            turn.conversation_id,
            turn.memory.conversations,
            SessionCache(NoCache()) if private else self.cache,
            space=turn.space,
            history_messages=self.settings.history_messages,
        )
