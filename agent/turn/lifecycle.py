"""How a turn begins and ends, and what is done and told between turns."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timezone
from uuid import UUID, uuid4

import structlog

from agent.commands.corrections import find_correction, is_talk
from agent.commands.dispatch import Intent, detect_intent, obey_typed
from agent.commands.forgetting import ForgetTargetFinder
from agent.commands.parser import NO_MESSAGE, Command, ReceivedMessage
from agent.commands.slash import SlashCommand, find_slash_command
from agent.conversations.session import ConversationSession, ReplySaver
from agent.conversations.state import (
    CommandQuestion,
    ConversationState,
    ConversationStates,
    PendingNotice,
    Question,
)
from agent.explanation import Explanation
from agent.turn.background import BackgroundTasks, LearningTasks
from agent.turn.context import TurnContext
from agent.turn.events import TurnClosed
from agent.turn.notices import STOPPED, degraded_notices
from agent.turn.running import RunningTurn
from agent.turn.turn import Turn, count_turn, unlearn
from memory.cache import NullCache, SessionCache
from memory.circuit_breaker import CircuitBreakers
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.types import Confidence, Privacy, Role, SpaceSettings, StoredMemory
from memory.understanding import MessageReader

_FORGETTING = {"forget", "do_not_remember"}
# What a message corrects is not looked for any longer, in seconds: a reply waits for it.
CORRECTION_TIMEOUT = 2.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class AssistantSettings:
    """`settle_timeout` is how long a command waits for what is being learned, in seconds."""

    max_results: int = 10
    min_relevance: float = 0.3
    min_confidence: Confidence = "related"
    token_budget: int = 1000
    history_messages: int = 20
    learn_roles: tuple[Role, ...] = ("user",)
    learn_timeout: float = 60.0
    settle_timeout: float = 5.0


@dataclass
class TurnOpener:
    """Makes turns. Owns what the conversations of this process are about."""

    memory: MemoryService
    reader: MessageReader
    cache: SessionCache
    settings: AssistantSettings
    learning: LearningTasks
    dialogues: ConversationStates = field(default_factory=ConversationStates)

    async def open(
        self,
        user_id: str,
        conversation_id: UUID,
        text: str,
        space: str,
        *,
        correlation_id: UUID | None,
        instead_of: UUID | None,
        zone: timezone | None = None,
    ) -> Turn:
        """A turn whose message is stored. Where it cannot be, a question of Keepsake's stays open,
        so that the answer can be given again."""
        heard = await ReceivedMessage.listen(text, self.reader)
        dialogue = self.dialogues.of(user_id, conversation_id, space)
        question, withheld = dialogue.question, dialogue.withheld
        if instead_of is not None:  # what was asked in that turn is asked no more
            await self._settle(user_id, conversation_id)
            dialogue.question = None
        try:
            turn = await self._begin_heard(
                user_id,
                conversation_id,
                dialogue,
                heard,
                correlation_id=correlation_id,
                zone=zone,
                anew=instead_of is not None,
            )
            await turn.open(instead_of)
            if turn.opened is None:
                dialogue.last_turn = await self.last_turn(user_id, conversation_id, dialogue)
            await unlearn(turn)
        except BaseException:
            dialogue.question, dialogue.withheld = question, withheld
            raise
        return turn

    async def _begin_heard(
        self,
        user_id: str,
        conversation_id: UUID,
        dialogue: ConversationState,
        heard: ReceivedMessage,
        *,
        correlation_id: UUID | None,
        zone: timezone | None,
        anew: bool,
    ) -> Turn:
        """The turn that obeys or answers what was heard; nothing of it is stored yet. What is said
        `anew` corrects by a command alone: what was learned of it is still there."""
        known = await self.space_settings(user_id, conversation_id, dialogue)
        await self._drop_overtaken(user_id, conversation_id, dialogue)
        wish = await self._wish_in(user_id, dialogue, heard)
        if not anew and known.memory_mode == "full" and (wish is None or wish.only_edits):
            wish = await self._correction(user_id, conversation_id, dialogue, heard) or wish
        await self._end_withholding(user_id, dialogue, wish)
        if wish is not None:
            await self._settle(user_id, conversation_id)
            requests = await self._requests(user_id, dialogue, heard, wish)
            if requests:
                wish, heard = wish.without(requests), heard.with_requests(requests)
        return await self.begin(
            user_id,
            conversation_id,
            dialogue,
            heard,
            wish,
            known=known,
            correlation_id=correlation_id,
            zone=zone,
        )

    async def _wish_in(
        self, user_id: str, dialogue: ConversationState, heard: ReceivedMessage
    ) -> Intent | None:
        """What a message wants before any model sees it. What only perhaps is a wish to forget is
        one where memory or past talk holds what it names, and talk where not."""
        wish = detect_intent(heard.words, heard.commands, dialogue)
        typed = find_slash_command(heard.text)
        if typed is not None:
            return Intent(typed=typed)
        perhaps = heard.perhaps
        answers = wish is not None and not wish.commands
        if answers or perhaps is None or perhaps.about is None:
            return wish
        if dialogue.privacy != "normal":
            return wish
        aim = await ForgetTargetFinder(self.memory, user_id, dialogue.space).find_target(perhaps)
        if not aim.named:
            return wish
        others = [each for each in heard.commands if each.name not in _FORGETTING]
        return Intent((*others, perhaps))

    async def _correction(
        self,
        user_id: str,
        conversation_id: UUID,
        dialogue: ConversationState,
        heard: ReceivedMessage,
    ) -> Intent | None:
        """What a message corrects, where that is a memory and it commands nothing else. It is a
        message like any other where that is not found out in time."""
        is_read = "user" in self.settings.learn_roles and not dialogue.is_last_reply(heard.words)
        if not is_read or not heard.may_correct or dialogue.privacy != "normal":
            return None
        if heard.sounds_like_correction:  # of what was said just before, as it may be
            await self._settle(user_id, conversation_id)
        try:
            async with asyncio.timeout(CORRECTION_TIMEOUT):
                command = await find_correction(heard, self.memory, user_id, dialogue)
        except Exception as error:  # nothing is lost: it is learned from
            _log.warning("correction_not_read", reason=type(error).__name__)
            return None
        return None if command is None else Intent((command,))

    async def last_turn(
        self, user_id: str, conversation_id: UUID, dialogue: ConversationState
    ) -> UUID | None:
        """The turn that was stored last, by whichever process."""
        privacy = await self.privacy(user_id, conversation_id, dialogue)
        conversations = self.memory.for_privacy(privacy).conversations
        said = await conversations.read_recent(user_id, conversation_id, 1)
        return said[-1].correlation_id if said else None

    async def _drop_overtaken(
        self, user_id: str, conversation_id: UUID, dialogue: ConversationState
    ) -> None:
        """A question is answered by the very next message. Another process may have had that."""
        if dialogue.question is not None and dialogue.last_turn != await self.last_turn(
            user_id, conversation_id, dialogue
        ):
            dialogue.question = None

    async def _end_withholding(
        self, user_id: str, dialogue: ConversationState, wish: Intent | None
    ) -> None:
        """What was not learned from while privacy was asked about is so now, without a yes."""
        withheld, dialogue.withheld = dialogue.withheld, None
        asked = (
            None if wish is None or wish.answer is None or not wish.answer.yes else wish.question
        )
        if withheld is not None and not isinstance(asked, CommandQuestion):
            await self.memory.learner.unskip(user_id, withheld)

    async def _requests(
        self, user_id: str, dialogue: ConversationState, heard: ReceivedMessage, wish: Intent
    ) -> list[Command]:
        """What sounds like a correction of memory and asks for something else."""
        edits = [each for each in wish.commands if each.name == "edit"]
        if not edits or dialogue.privacy != "normal":
            return []
        return [
            each for each in edits if await is_talk(each, heard, self.memory, user_id, dialogue)
        ]

    async def privacy(
        self, user_id: str, conversation_id: UUID, dialogue: ConversationState
    ) -> Privacy:
        """How private the conversation is: one that is stored, as it was made last, whichever
        process that was in; one that begins, as the user set it for the space."""
        if dialogue.privacy is None:
            await self.space_settings(user_id, conversation_id, dialogue)
        return dialogue.privacy or "normal"

    async def space_settings(
        self, user_id: str, conversation_id: UUID, dialogue: ConversationState
    ) -> SpaceSettings:
        """What the user set for the space, as far as the conversation's privacy lets it be read,
        which is found out with it."""
        if dialogue.privacy is None:
            known = await self.memory.space_settings(user_id, dialogue.space)
            stored = await self.memory.conversations.read(user_id, conversation_id)
            dialogue.is_stored = stored is not None
            dialogue.privacy = "incognito" if known.incognito_default else "normal"
            if stored is not None and stored.privacy != "normal":
                dialogue.privacy = stored.privacy
            if dialogue.privacy == "normal":
                return known
        return await self.memory.for_privacy(dialogue.privacy).space_settings(
            user_id, dialogue.space
        )

    async def begin(
        self,
        user_id: str,
        conversation_id: UUID,
        dialogue: ConversationState,
        heard: ReceivedMessage,
        wish: Intent | None,
        *,
        known: SpaceSettings,
        correlation_id: UUID | None = None,
        zone: timezone | None = None,
    ) -> Turn:
        """A turn with the memory that the conversation's privacy leaves it, under an id of its own
        where none is given. What is not to be kept is talk all the same, and answered."""
        off_the_record = wish is not None and wish.leaves_out
        wish = None if wish is None else wish.without_leaving_out()
        privacy = await self.privacy(user_id, conversation_id, dialogue)
        sets_space = wish is not None and wish.sets_space
        memory = self.memory if sets_space else self.memory.for_privacy(privacy)
        context = TurnContext(
            user_id=user_id,
            conversation_id=conversation_id,
            correlation_id=correlation_id or uuid4(),
            memory=memory,
            dialogue=dialogue,
            is_talk=wish is None,
            said=heard.words,
            off_the_record=off_the_record,
            max_results=self.settings.max_results,
            min_relevance=self.settings.min_relevance,
            min_confidence=self.settings.min_confidence,
            token_budget=self.settings.token_budget,
            zone=zone,
            claim=memory.learner.new_claim(),
        )
        session = self._session(context)
        return Turn(heard, wish, context, session, known, self.settings.learn_roles)

    async def _settle(self, user_id: str, conversation_id: UUID) -> None:
        await self.learning.settle(user_id, conversation_id, self.settings.settle_timeout)

    def _session(self, turn: TurnContext) -> ConversationSession:
        private = turn.dialogue.privacy != "normal"
        return ConversationSession(
            turn.user_id,
            turn.conversation_id,
            turn.memory.conversations,
            SessionCache(NullCache()) if private else self.cache,
            space=turn.space,
            history_messages=self.settings.history_messages,
        )


@dataclass
class TurnCloser:
    """Stores a reply as far as it went, and begins what goes on behind it."""

    memory: MemoryService
    dialogues: ConversationStates
    replies: ReplySaver
    learning: LearningTasks
    background: BackgroundTasks
    guards: CircuitBreakers
    counters: MemoryMetrics

    def close(self, turn: Turn, running: RunningTurn) -> asyncio.Task[TurnClosed]:
        """What the turn came to. A reply is stored even while the caller is being cancelled, but
        for one whose user is erased meanwhile."""
        return self.background.own(self._close(turn, running))

    async def _close(self, turn: Turn, running: RunningTurn) -> TurnClosed:
        count_turn(turn, self.counters)
        if turn.context.erased or running.erased:
            turn.context.erased = True
            self.dialogues.drop_user(turn.context.user_id)
            return turn.closed(stored=True, degraded=[STOPPED] if running.erased else [])
        if turn.context.forgotten:
            turn.session.invalidate_history()
        reply = await asyncio.to_thread(turn.reply_message)
        stored = turn.opened is None or await self.replies.save(turn.session, reply)
        turn.context.update_state()
        whole = turn.reply.status == "complete"
        turn.context.dialogue.asked = turn.context.question if whole else None
        is_stored = turn.opened is not None
        turn.context.dialogue.question_in_reply = is_stored and not turn.context.asked_by_model
        await self._withhold(turn)
        self._go_on_behind(turn)
        return turn.closed(stored, degraded_notices(self.guards, turn.context.dialogue))

    async def _withhold(self, turn: Turn) -> None:
        """The conversation became private in the course of the turn, or that was asked."""
        if turn.opened is None or not turn.waits or turn.may_learn:
            return
        skip, sides = self.memory.learner.skip, (turn.opened.id, turn.reply.id)
        await asyncio.wait(
            [self.background.own(skip(turn.context.user_id, each)) for each in sides]
        )
        if turn.context.asks_for_privacy:
            turn.context.dialogue.withheld = turn.opened.id

    def _go_on_behind(self, turn: Turn) -> None:
        """Learns from what was said and embeds it, while the user already reads the reply."""
        opened, dialogue = turn.opened, turn.context.dialogue
        if opened is None:
            return
        turn.note_words(dialogue)
        pasted = dialogue.is_last_reply(turn.heard.words)
        for said in turn.texts_to_learn():
            if not (pasted and said.role == "user"):
                self.learning.begin(turn.context, said)
        if pasted:
            self.background.own(self.memory.learner.skip(turn.context.user_id, opened.id))
        dialogue.note_reply(turn.reply.text)
        if dialogue.privacy == "normal":
            self.background.own(self.memory.embed_waiting(turn.context.user_id))


@dataclass(frozen=True)
class CommandResult:
    """What a command answered, and what was forgotten by it; `erased` where that is everything.
    `privacy` is the conversation's from here on; `explained` is what the text says of the last
    answer, for who shows that in a way of their own; `question` is what the text asks."""

    text: str
    forgotten: tuple[StoredMemory, ...] = ()
    erased: bool = False
    privacy: Privacy = "normal"
    explained: Explanation | None = None
    question: Question | None = None


@dataclass
class CommandRunner:
    """Carries out what an interface has a button for, outside of any turn. `settle_timeout` is how
    long a command waits for what is being learned, in seconds."""

    opening: TurnOpener
    learning: LearningTasks
    settle_timeout: float

    async def obey(
        self, user_id: str, conversation_id: UUID, command: Command | SlashCommand, space: str
    ) -> CommandResult:
        """What it asks is answered by the next message. Raises DatabaseUnavailable, and
        InvalidInput for what was typed and is not known."""
        await self.learning.settle(user_id, conversation_id, self.settle_timeout)
        dialogue = self.opening.dialogues.of(user_id, conversation_id, space)
        dialogue.take_question()
        typed = command if isinstance(command, SlashCommand) else None
        wish = Intent((command,)) if isinstance(command, Command) else Intent(typed=command)
        known = await self.opening.space_settings(user_id, conversation_id, dialogue)
        turn = await self.opening.begin(
            user_id, conversation_id, dialogue, NO_MESSAGE, wish, known=known
        )
        said = await (obey_typed(typed, turn.context) if typed else wish.obey(turn.context))
        turn.context.update_state()
        if turn.context.question is not None:
            dialogue.last_turn = await self.opening.last_turn(user_id, conversation_id, dialogue)
            dialogue.question, dialogue.question_in_reply = turn.context.question, False
        if turn.context.erased:
            self.opening.dialogues.drop_user(user_id)
        return _obeyed(turn, said)


def _obeyed(turn: Turn, said: str) -> CommandResult:
    context = turn.context
    return CommandResult(
        said,
        tuple(context.forgotten),
        context.erased,
        context.dialogue.privacy or "normal",
        context.explained,
        context.question,
    )


@dataclass
class PendingNotices:
    """What was learned behind the turns. `learn_timeout` is how long it waits for what is being
    learned, in seconds."""

    opening: TurnOpener
    learning: LearningTasks
    learn_timeout: float

    async def news(self, user_id: str, conversation_id: UUID, space: str) -> list[PendingNotice]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked; waits for what is being learned at this moment."""
        await self.learning.settle(user_id, conversation_id, self.learn_timeout)
        return self.opening.dialogues.of(user_id, conversation_id, space).take_news()
