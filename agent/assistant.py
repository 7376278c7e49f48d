"""The assistant: an SDK agent with a memory, and the life of one turn around its run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import UUID

from agents import Agent, Model, ModelSettings

from agent.background import Background
from agent.commands.understand import Wish
from agent.context import TurnContext
from agent.dialogue import AskedWhichHolds, News
from agent.events import TextDelta, TurnClosed, TurnEvent, TurnOpened
from agent.explanation import Explanation
from agent.guardrails import message_guardrail, refuse_forged, reply_guardrail
from agent.learning import Learning, which_holds
from agent.opening import AssistantSettings, Opening
from agent.plain_words.commands import Command
from agent.replies import Replies
from agent.run import run_agent
from agent.stopping import Stop
from agent.taking_back import unlearn
from agent.talks import Talks
from agent.tools import make_tools
from agent.turn import Turn
from memory.cache.session import SessionCache
from memory.models import DEFAULT_SPACE, KeptItem, Privacy
from memory.secrets import redact
from memory.service import Memory
from memory.write.normalise import clean_message
from prompts import load_prompt


@dataclass(frozen=True)
class Obeyed:
    """What a command answered, and what was forgotten by it; `erased` where that is everything.
    `privacy` is the conversation's from here on; `explained` is what the text says of the last
    answer, for who shows that in a way of their own."""

    text: str
    forgotten: tuple[KeptItem, ...] = ()
    erased: bool = False
    privacy: Privacy = "normal"
    explained: Explanation | None = None


@dataclass
class Assistant:
    """Answers turns. Owns what goes on after a reply; `aclose` waits for it."""

    model: Model
    model_settings: ModelSettings
    memory: Memory
    cache: SessionCache
    settings: AssistantSettings
    talks: Talks = field(init=False)
    _agent: Agent[TurnContext] = field(init=False)
    _background: Background = field(default_factory=Background, init=False)
    _replies: Replies = field(default_factory=Replies, init=False)
    _opening: Opening = field(init=False)
    _learning: Learning = field(init=False)

    def __post_init__(self) -> None:
        self._agent = self._make_agent()
        self._opening = Opening(self.memory, self.cache, self.settings)
        self.talks = Talks(self.memory, self._opening.dialogues, self._replies)
        self._learning = Learning(self._background, self.settings.learn_timeout)

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
        `agent.taking_back`.

        Raises MessageRefused, NotTheLastTurn and DatabaseUnavailable before anything is stored.
        ReplyFailed comes after the partial reply is stored. A caller that stops
        listening or is cancelled leaves an interrupted reply behind; so does `stop`, which
        still has the turn's end told.
        """
        text = clean_message(text)
        refuse_forged(text)
        await self._replies.save_unsaved()
        turn = await self._open(
            user_id,
            conversation_id,
            text,
            space,
            correlation_id=correlation_id,
            instead_of=instead_of,
        )
        closing: TurnClosed | None = None
        try:
            yield TurnOpened(turn.context.correlation_id, turn.context.dialogue.privacy or "normal")
            with (stop or Stop()).heeded():
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
        await self._learning.settle(user_id, conversation_id, self.settings.settle_timeout)
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        dialogue.question = None
        turn = await self._opening.begin(user_id, conversation_id, dialogue, "", Wish(command))
        said = await Wish(command).obey(turn.context)
        turn.context.note_mentions()
        if turn.context.erased:
            self._opening.dialogues.drop_user(user_id)
        return Obeyed(
            said,
            tuple(turn.context.forgotten),
            turn.context.erased,
            dialogue.privacy or "normal",
            turn.context.explained,
        )

    async def noticed(self, user_id: str, conversation_id: UUID, space: str) -> list[str]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked, as sentences; waits for what is being learned at this moment."""
        return [news.sentence for news in await self.news(user_id, conversation_id, space)]

    async def news(self, user_id: str, conversation_id: UUID, space: str) -> list[News]:
        """As `noticed`, with what became of each memory."""
        await self._learning.settle(user_id, conversation_id, self.settings.learn_timeout)
        return self._opening.dialogues.of(user_id, conversation_id, space).take_news()

    async def privacy(
        self, user_id: str, conversation_id: UUID, space: str, *, at_least: Privacy = "normal"
    ) -> Privacy:
        """How private a conversation is, or will begin: as it is set for the space, and as private
        as the one before. Raises DatabaseUnavailable."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        if dialogue.privacy is None and at_least != "normal":
            dialogue.privacy = at_least
        return await self._opening.privacy(user_id, dialogue)

    def begin(self, user_id: str, conversation_id: UUID, space: str, privacy: Privacy) -> None:
        """A conversation that this process does not know yet is as private as that, whatever is set
        for the space."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        dialogue.privacy = dialogue.privacy or privacy

    async def drop_user(self, user_id: str) -> None:
        """Lets what is learned of a user come to its end, and knows nothing more of what their
        conversations were about. For a user who is erased next."""
        await self._learning.settle_user(user_id, self.settings.settle_timeout)
        await self.talks.drop_user(user_id)

    async def ask_doubt(self, user_id: str, conversation_id: UUID, space: str) -> str | None:
        """Asks about the oldest doubt that is still open; None where there is none."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        privacy = await self._opening.privacy(user_id, dialogue)
        doubts = await self.memory.in_privacy(privacy).doubts.open(user_id, space)
        if not doubts:
            return None
        dialogue.question = AskedWhichHolds(doubts[0].id)
        return which_holds(doubts[0].older.content, doubts[0].newer.content)

    async def save_unsaved(self) -> None:
        """See `Replies.save_unsaved`."""
        await self._replies.save_unsaved()

    async def aclose(self) -> None:
        """Waits for the work behind the replies and tries once more to save what is unsaved."""
        await self._background.aclose()
        await self._replies.aclose()

    async def _open(
        self,
        user_id: str,
        conversation_id: UUID,
        text: str,
        space: str,
        *,
        correlation_id: UUID | None,
        instead_of: UUID | None,
    ) -> Turn:
        """A turn whose message is stored. Where it cannot be, a question of Keepsake's stays open,
        so that the answer can be given again."""
        dialogue = self._opening.dialogues.of(user_id, conversation_id, space)
        question = dialogue.question
        if instead_of is not None:  # what was asked in that turn is asked no more
            await self._learning.settle(user_id, conversation_id, self.settings.settle_timeout)
            dialogue.question = None
        try:
            wish = await self._opening.wish_in(user_id, dialogue, text)
            if wish is not None:
                await self._learning.settle(user_id, conversation_id, self.settings.settle_timeout)
            turn = await self._opening.begin(
                user_id, conversation_id, dialogue, text, wish, correlation_id=correlation_id
            )
            await turn.open(instead_of)
            await unlearn(turn)
        except BaseException:
            dialogue.question = question
            raise
        return turn

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
            self._opening.dialogues.drop_user(turn.context.user_id)
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
        for said in turn.lessons():
            self._learning.begin(turn.context, said)
        if turn.waits and not turn.learns:  # the conversation became private in the course of it
            self._background.own(self.memory.learner.skip(turn.context.user_id, opened.id))
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
