"""The assistant: an SDK agent with Keepsake's instructions, tools and guardrails, and the turns
that it answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timezone
from functools import partial
from uuid import UUID, uuid4

from agents import Agent, Model, ModelSettings
from opentelemetry.trace import NoOpTracer, Tracer

from agent.commands.parser import Command
from agent.commands.slash import SlashCommand
from agent.conversations.service import ConversationService
from agent.conversations.session import ReplySaver
from agent.conversations.state import PendingNotice, Question
from agent.guardrails import message_guardrail, refuse_forged, reply_guardrail
from agent.models.provider import model_settings
from agent.tools.episodes import instructions_with_episodes, make_episode_tools
from agent.tools.memory import make_control_tool, make_query_tool, make_remember_tool
from agent.turn.background import BackgroundTasks, LearningTasks
from agent.turn.context import TurnContext
from agent.turn.events import StopSignal, TextDelta, TurnClosed, TurnEvent
from agent.turn.lifecycle import (
    AssistantSettings,
    CommandResult,
    CommandRunner,
    PendingNotices,
    TurnCloser,
    TurnOpener,
)
from agent.turn.run import run_agent
from agent.turn.running import RunningTurn, RunningTurns
from agent.turn.turn import Turn
from memory.cache import Cache, SessionCache
from memory.circuit_breaker import CircuitBreakers
from memory.config import Settings
from memory.ingestion.normalisation import clean_message
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.types import DEFAULT_SPACE, ErasedUser, Privacy
from memory.understanding import MessageReader, OfflineReader
from prompts import load_prompt


def make_agent(
    model: Model, settings: ModelSettings, *, episodes: bool = False
) -> Agent[TurnContext]:
    """It holds nothing of a turn, so that one serves them all. With `episodes` it has their tools
    and is shown how tasks went before."""
    tools = [make_query_tool(), make_remember_tool(), make_control_tool()]
    return Agent(
        name="Keepsake",
        instructions=instructions_with_episodes if episodes else load_prompt("assistant"),
        model=model,
        model_settings=settings,
        tools=[*tools, *(make_episode_tools() if episodes else ())],
        input_guardrails=[message_guardrail],
        output_guardrails=[reply_guardrail],
    )


@dataclass
class Assistant:
    """Answers turns. Owns what goes on after a reply; `aclose` waits for it."""

    model: Model
    model_settings: ModelSettings
    memory: MemoryService
    cache: SessionCache
    settings: AssistantSettings
    reader: MessageReader
    guards: CircuitBreakers = field(default_factory=CircuitBreakers)
    counters: MemoryMetrics = field(default_factory=MemoryMetrics)
    tracer: Tracer = field(default_factory=NoOpTracer)
    talks: ConversationService = field(init=False)
    turns: RunningTurns = field(default_factory=RunningTurns, init=False)
    _agent: Agent[TurnContext] = field(init=False)
    _background: BackgroundTasks = field(default_factory=BackgroundTasks, init=False)
    _replies: ReplySaver = field(default_factory=ReplySaver, init=False)
    _learning: LearningTasks = field(init=False)
    _opening: TurnOpener = field(init=False)
    _closing: TurnCloser = field(init=False)
    _obeying: CommandRunner = field(init=False)
    _telling: PendingNotices = field(init=False)

    def __post_init__(self) -> None:
        self._agent = make_agent(
            self.model, self.model_settings, episodes=self.memory.episodes.enabled
        )
        self._learning = LearningTasks(self._background, self.settings.learn_timeout)
        self._opening = TurnOpener(
            self.memory, self.reader, self.cache, self.settings, self._learning
        )
        dialogues = self._opening.dialogues
        self.talks = ConversationService(self.memory, dialogues, self._replies)
        self._closing = TurnCloser(
            self.memory,
            dialogues,
            self._replies,
            self._learning,
            self._background,
            self.guards,
            self.counters,
        )
        self._obeying = CommandRunner(self._opening, self._learning, self.settings.settle_timeout)
        self._telling = PendingNotices(self._opening, self._learning, self.settings.learn_timeout)

    async def answer(
        self,
        user_id: str,
        conversation_id: UUID,
        text: str,
        space: str = DEFAULT_SPACE,
        *,
        correlation_id: UUID | None = None,
        instead_of: UUID | None = None,
        zone: timezone | None = None,
        stop: StopSignal | None = None,
    ) -> AsyncIterator[TurnEvent]:
        """One turn: stores what was said, obeys it or streams the reply, stores that as far as
        it went. Both are stored under the `correlation_id`, made where none is given.
        `instead_of` names the last turn of the conversation, which is taken back; see
        `agent.turn.turn`. “Yesterday” is a day of the `zone`, else of this machine's.

        Raises MessageRefused, NotTheLastTurn, BeingErased and DatabaseUnavailable before anything
        is stored. ReplyFailed comes after the partial reply is stored. A caller that stops
        listening or is cancelled leaves an interrupted reply behind; so does `stop`, which has the
        end told.
        """
        text = clean_message(text)
        refuse_forged(text)
        await self._replies.save_unsaved()
        running = self.turns.begin(user_id, correlation_id or uuid4(), stop or StopSignal())
        try:
            turn = await self._opening.open(
                user_id,
                conversation_id,
                text,
                space,
                correlation_id=running.id,
                instead_of=instead_of,
                zone=zone,
            )
        except BaseException:
            self.turns.end(running)
            raise
        turn.context.erase_user = partial(self.erase_user, user_id, asked_in=running)
        async with aclosing(self._turn(turn, running)) as events:
            async for event in events:
                yield event
        if turn.reply.error is not None:
            raise turn.reply.error

    async def obey(
        self,
        user_id: str,
        conversation_id: UUID,
        command: Command | SlashCommand,
        space: str = DEFAULT_SPACE,
    ) -> CommandResult:
        """Does what an interface has a button for, or what was typed with a slash, and says so;
        nothing of it is stored as talk.

        What it asks is answered by the next message. Raises DatabaseUnavailable, and InvalidInput
        for what was typed and is not known.
        """
        return await self._obeying.obey(user_id, conversation_id, command, space)

    async def noticed(self, user_id: str, conversation_id: UUID, space: str) -> list[str]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked, as sentences; waits for what is being learned at this moment."""
        told = await self.news(user_id, conversation_id, space)
        for each in told:
            self.note_shown(user_id, conversation_id, each.question)
        return [each.sentence for each in told]

    async def news(self, user_id: str, conversation_id: UUID, space: str) -> list[PendingNotice]:
        """As `noticed`, with what became of each memory; what it asks is yet to be shown."""
        return await self._telling.news(user_id, conversation_id, space)

    def note_shown(self, user_id: str, conversation_id: UUID, question: Question | None) -> None:
        """The user has been shown a question, word for word: the very next message may answer it. A
        question of which this is never said is answered by nothing."""
        dialogue = self._opening.dialogues.known(user_id, conversation_id)
        if question is not None and dialogue is not None:
            dialogue.note_shown(question)

    def take_question(self, user_id: str, conversation_id: UUID) -> Question | None:
        """The question that the next message would have answered; it is asked no more, since
        something else was typed."""
        dialogue = self._opening.dialogues.known(user_id, conversation_id)
        return None if dialogue is None else dialogue.take_question()

    async def privacy(
        self, user_id: str, conversation_id: UUID, space: str, *, at_least: Privacy = "normal"
    ) -> Privacy:
        """How private a conversation is, or will begin: as it is set for the space, and as private
        as the one before. Raises DatabaseUnavailable."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        if dialogue.privacy is None and at_least != "normal":
            dialogue.privacy = at_least
        return await self._opening.privacy(user_id, conversation_id, dialogue)

    def begin(self, user_id: str, conversation_id: UUID, space: str, privacy: Privacy) -> None:
        """A conversation that this process does not know yet is as private as that, whatever is set
        for the space."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        if dialogue.privacy is None:
            dialogue.privacy = privacy
            if privacy != "normal":
                self.counters.count_action("incognito on")

    async def erase_user(self, user_id: str, *, asked_in: RunningTurn | None = None) -> ErasedUser:
        """Erases everything of a user, at once and for good, through which door it may be asked.

        Their turns are stopped, but for the one it is `asked_in`; what is being learned, what is
        unsaved and what is known of their conversations goes, the incognito ones included. Raises
        BeingErased and DatabaseUnavailable.
        """
        async with self.turns.stopped(user_id, but=asked_in):
            await self._learning.cancel_user(user_id)
            await self.talks.drop_user(user_id)
            erased = await self.memory.portability.erase_everything(user_id)
        turn_id = None if asked_in is None else asked_in.id
        self.memory.forgetting.hearers.tell(user_id, turn_id)
        return erased

    async def save_unsaved(self) -> None:
        """See `Replies.save_unsaved`."""
        await self._replies.save_unsaved()

    async def aclose(self) -> None:
        """Waits for the work behind the replies and tries once more to save what is unsaved."""
        await self._background.aclose()
        await self._replies.aclose()

    async def _turn(self, turn: Turn, running: RunningTurn) -> AsyncGenerator[TurnEvent, None]:
        """From its beginning to its end; what is stored of a long reply grows with it."""
        closing: TurnClosed | None = None
        try:
            yield turn.opened_event()
            async with running.stop.cancel_scope(), aclosing(self._reply(turn)) as events:
                async for event in events:
                    yield event
                    if turn.reply.is_due(time.monotonic()):
                        await self._replies.save_partial(turn.session, turn.reply_message())
        finally:
            closed = self._closing.close(turn, running)
            closed.add_done_callback(lambda _: self.turns.end(running))
            closing = await asyncio.shield(closed)
        yield closing

    async def _reply(self, turn: Turn) -> AsyncGenerator[TurnEvent, None]:
        asked = turn.heard.text
        if turn.wish is not None:
            asked = turn.remaining_question
            turn.reply.text = await turn.wish.obey(turn.context) + ("\n\n" if asked else "")
            turn.reply.status = "interrupted" if asked else "complete"
            yield TextDelta(turn.reply.text)
        if not asked:
            return
        events = run_agent(self._agent, asked, turn.context, turn.session, turn.reply)
        async with aclosing(events):
            async for event in events:
                yield event


def make_assistant(
    model: Model,
    settings: Settings,
    memory: MemoryService,
    cache: Cache,
    guards: CircuitBreakers | None = None,
    *,
    counters: MemoryMetrics | None = None,
    tracer: Tracer | None = None,
) -> Assistant:
    """The assistant with the limits of the settings, over that memory; it says what of the
    `guards` is open."""
    return Assistant(
        model=model,
        model_settings=model_settings(settings),
        memory=memory,
        reader=OfflineReader(),
        cache=SessionCache(cache),
        settings=AssistantSettings(
            max_results=settings.max_results,
            min_relevance=settings.min_relevance,
            # A model is told what is near as well; without one that would be said as an answer.
            min_confidence="related" if settings.has_model else "possible",
            token_budget=settings.token_budget,
            history_messages=settings.history_messages,
            learn_roles=settings.learn_roles,
            learn_timeout=settings.learn_timeout_seconds,
        ),
        guards=guards or CircuitBreakers(),
        counters=counters or MemoryMetrics(),
        tracer=tracer or NoOpTracer(),
    )
