"""How a turn begins: in which dialogue, how private, with which memory, and what it wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from agent.commands.understand import Wish, understand
from agent.commands.wishes import Aiming
from agent.talks.dialogue import Dialogue, Dialogues
from agent.talks.session import ConversationSession
from agent.turn.context import TurnContext
from agent.turn.heard import Heard
from agent.turn.learning import Learning
from agent.turn.taking_back import unlearn
from agent.turn.turn import Turn
from memory.cache import NoCache
from memory.cache.session import SessionCache
from memory.models import Privacy, Role
from memory.service import Memory
from memory.understanding import Reader

_FORGETTING = {"forget", "do_not_remember"}


@dataclass(frozen=True)
class AssistantSettings:
    """`settle_timeout` is how long a command waits for what is being learned, in seconds."""

    max_results: int = 10
    min_relevance: float = 0.3
    token_budget: int = 1000
    history_messages: int = 20
    learn_roles: tuple[Role, ...] = ("user",)
    learn_timeout: float = 60.0
    settle_timeout: float = 5.0


@dataclass
class Opening:
    """Makes turns. Owns what the conversations of this process are about."""

    memory: Memory
    reader: Reader
    cache: SessionCache
    settings: AssistantSettings
    learning: Learning
    dialogues: Dialogues = field(default_factory=Dialogues)

    async def open(
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
        heard = await Heard.listen(text, self.reader)
        dialogue = self.dialogues.of(user_id, conversation_id, space)
        question = dialogue.question
        dialogue.language = heard.spoken.after(dialogue.language)
        if instead_of is not None:  # what was asked in that turn is asked no more
            await self._settle(user_id, conversation_id)
            dialogue.question = None
        try:
            wish = await self.wish_in(user_id, conversation_id, dialogue, heard)
            if wish is not None:
                await self._settle(user_id, conversation_id)
            turn = await self.begin(
                user_id, conversation_id, dialogue, heard, wish, correlation_id=correlation_id
            )
            await turn.open(instead_of)
            await unlearn(turn)
        except BaseException:
            dialogue.question = question
            raise
        return turn

    async def wish_in(
        self, user_id: str, conversation_id: UUID, dialogue: Dialogue, heard: Heard
    ) -> Wish | None:
        """What a message wants before any model sees it. What only perhaps is a wish to forget is
        one where memory or past talk holds what it names, and talk where not."""
        wish = understand(heard.words, heard.commands, dialogue)
        perhaps = heard.perhaps
        answers = wish is not None and not wish.commands
        if answers or perhaps is None or perhaps.about is None:
            return wish
        if await self.privacy(user_id, conversation_id, dialogue) != "normal":
            return wish
        aim = await Aiming(self.memory, user_id, dialogue.space).aim_of(
            perhaps.about.splitlines(), points_back=perhaps.points_back
        )
        if not aim.named:
            return wish
        others = [each for each in heard.commands if each.name not in _FORGETTING]
        return Wish((*others, perhaps))

    async def privacy(self, user_id: str, conversation_id: UUID, dialogue: Dialogue) -> Privacy:
        """How private the conversation is: one that is stored, as it was made last, whichever
        process that was in; one that begins, as the user set it for the space."""
        if dialogue.privacy is None:
            stored = await self.memory.conversations.read(user_id, conversation_id)
            known = await self.memory.space_settings(user_id, dialogue.space)
            dialogue.privacy = "incognito" if known.incognito_default else "normal"
            if stored is not None and stored.privacy != "normal":
                dialogue.privacy = stored.privacy
        return dialogue.privacy

    async def begin(
        self,
        user_id: str,
        conversation_id: UUID,
        dialogue: Dialogue,
        heard: Heard,
        wish: Wish | None,
        *,
        correlation_id: UUID | None = None,
    ) -> Turn:
        """A turn with the memory that the conversation's privacy leaves it, under an id of its own
        where none is given. What is not to be kept is talk all the same, and answered."""
        off_the_record = wish is not None and wish.leaves_out
        wish = None if wish is None else wish.but_for_leaving_out()
        privacy = await self.privacy(user_id, conversation_id, dialogue)
        memory = self.memory.in_privacy(privacy)
        known = await memory.space_settings(user_id, dialogue.space)
        context = TurnContext(
            user_id=user_id,
            conversation_id=conversation_id,
            correlation_id=correlation_id or uuid4(),
            memory=memory,
            dialogue=dialogue,
            is_talk=wish is None,
            said=heard.words,
            off_the_record=off_the_record,
            notices=known.notices,
            max_results=self.settings.max_results,
            min_relevance=self.settings.min_relevance,
            token_budget=self.settings.token_budget,
        )
        return Turn(heard, wish, context, self._session(context), known, self.settings.learn_roles)

    async def _settle(self, user_id: str, conversation_id: UUID) -> None:
        await self.learning.settle(user_id, conversation_id, self.settings.settle_timeout)

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
