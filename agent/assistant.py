"""The assistant: an SDK agent with a memory, and the life of one turn around its run."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import UUID

from agents import Agent, Model, ModelSettings
from opentelemetry.trace import NoOpTracer, Tracer

from agent.agent import make_agent
from agent.commands.command import Command
from agent.guardrails import refuse_forged
from agent.talks.dialogue import News
from agent.talks.talks import Talks
from agent.turn.background import Background
from agent.turn.buttons import Obeyed, Obeying
from agent.turn.closing import Closing
from agent.turn.context import TurnContext
from agent.turn.events import TextDelta, TurnClosed, TurnEvent, TurnOpened
from agent.turn.learning import Learning
from agent.turn.opening import AssistantSettings, Opening
from agent.turn.replies import Replies
from agent.turn.run import run_agent
from agent.turn.stopping import Stop
from agent.turn.telling import Telling
from agent.turn.turn import Turn
from memory.cache.session import SessionCache
from memory.counters import Counters
from memory.guard import Guards
from memory.models import DEFAULT_SPACE, Privacy
from memory.service import Memory
from memory.understanding import Reader
from memory.write.normalise import clean_message


@dataclass
class Assistant:
    """Answers turns. Owns what goes on after a reply; `aclose` waits for it."""

    model: Model
    model_settings: ModelSettings
    memory: Memory
    cache: SessionCache
    settings: AssistantSettings
    reader: Reader
    guards: Guards = field(default_factory=Guards)
    counters: Counters = field(default_factory=Counters)
    tracer: Tracer = field(default_factory=NoOpTracer)
    talks: Talks = field(init=False)
    _agent: Agent[TurnContext] = field(init=False)
    _background: Background = field(default_factory=Background, init=False)
    _replies: Replies = field(default_factory=Replies, init=False)
    _learning: Learning = field(init=False)
    _opening: Opening = field(init=False)
    _closing: Closing = field(init=False)
    _obeying: Obeying = field(init=False)
    _telling: Telling = field(init=False)

    def __post_init__(self) -> None:
        self._agent = make_agent(
            self.model, self.model_settings, episodes=self.memory.episodes.enabled
        )
        self._learning = Learning(self._background, self.settings.learn_timeout)
        self._opening = Opening(self.memory, self.reader, self.cache, self.settings, self._learning)
        dialogues = self._opening.dialogues
        self.talks = Talks(self.memory, dialogues, self._replies)
        self._closing = Closing(
            self.memory,
            dialogues,
            self._replies,
            self._learning,
            self._background,
            self.guards,
            self.counters,
        )
        self._obeying = Obeying(self._opening, self._learning, self.settings.settle_timeout)
        self._telling = Telling(
            self.memory, self._opening, self._learning, self.settings.learn_timeout
        )

    async def answer(
        self,
        user_id: str,
        conversation_id: UUID,
        text: str,
        space: str = DEFAULT_SPACE,
        *,
        correlation_id: UUID | None = None,
        instead_of: UUID | None = None,
        stop: Stop | None = None,
    ) -> AsyncIterator[TurnEvent]:
        """One turn: stores what was said, obeys it or streams the reply, stores that as far as
        it went. Both are stored under the `correlation_id`, made where none is given.
        `instead_of` names the last turn of the conversation, which is taken back; see
        `agent.turn.taking_back`.

        Raises MessageRefused, NotTheLastTurn and DatabaseUnavailable before anything is stored.
        ReplyFailed comes after the partial reply is stored. A caller that stops listening or is
        cancelled leaves an interrupted reply behind; so does `stop`, which has the end told.
        """
        text = clean_message(text)
        refuse_forged(text)
        await self._replies.save_unsaved()
        turn = await self._opening.open(
            user_id,
            conversation_id,
            text,
            space,
            correlation_id=correlation_id,
            instead_of=instead_of,
        )
        async with aclosing(self._turn(turn, stop or Stop())) as events:
            async for event in events:
                yield event
        if turn.reply.error is not None:
            raise turn.reply.error

    async def obey(
        self, user_id: str, conversation_id: UUID, command: Command, space: str = DEFAULT_SPACE
    ) -> Obeyed:
        """Does what a front door has a button for, and says so; nothing of it is stored as talk.

        What it asks is answered by the next message. Raises DatabaseUnavailable.
        """
        return await self._obeying.obey(user_id, conversation_id, command, space)

    async def noticed(self, user_id: str, conversation_id: UUID, space: str) -> list[str]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked, as sentences; waits for what is being learned at this moment."""
        return [news.sentence for news in await self.news(user_id, conversation_id, space)]

    async def news(self, user_id: str, conversation_id: UUID, space: str) -> list[News]:
        """As `noticed`, with what became of each memory."""
        return await self._telling.news(user_id, conversation_id, space)

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

    async def drop_user(self, user_id: str) -> None:
        """Lets what is learned of a user come to its end, and knows nothing more of what their
        conversations were about. For a user who is erased next."""
        await self._learning.settle_user(user_id, self.settings.settle_timeout)
        await self.talks.drop_user(user_id)

    async def ask_doubt(self, user_id: str, conversation_id: UUID, space: str) -> str | None:
        """Asks about the oldest doubt that is still open; None where there is none."""
        return await self._telling.ask_doubt(user_id, conversation_id, space)

    async def save_unsaved(self) -> None:
        """See `Replies.save_unsaved`."""
        await self._replies.save_unsaved()

    async def aclose(self) -> None:
        """Waits for the work behind the replies and tries once more to save what is unsaved."""
        await self._background.aclose()
        await self._replies.aclose()

    async def _turn(self, turn: Turn, stop: Stop) -> AsyncGenerator[TurnEvent, None]:
        """From its beginning to its end; what is stored of a long reply grows with it."""
        closing: TurnClosed | None = None
        try:
            yield TurnOpened(turn.context.correlation_id, turn.context.dialogue.privacy or "normal")
            with stop.heeded():
                async with aclosing(self._reply(turn)) as events:
                    async for event in events:
                        yield event
                        if turn.reply.is_due(time.monotonic()):
                            await self._replies.keep_so_far(turn.session, turn.as_message())
        finally:
            closing = await self._closing.close(turn)
        yield closing

    async def _reply(self, turn: Turn) -> AsyncGenerator[TurnEvent, None]:
        asked = turn.heard.text
        if turn.wish is not None:
            asked = turn.asked_beside
            turn.reply.text = await turn.wish.obey(turn.context) + ("\n\n" if asked else "")
            turn.reply.status = "interrupted" if asked else "complete"
            yield TextDelta(turn.reply.text)
        if not asked:
            return
        events = run_agent(self._agent, asked, turn.context, turn.session, turn.reply)
        async with aclosing(events):
            async for event in events:
                yield event
