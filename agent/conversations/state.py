"""What a conversation is about at this moment: what “that” means, and what Keepsake has asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from agent.commands.parser import Command
from agent.explanation import AnswerBasis
from memory.actions.forgetting.transcript_redaction import TranscriptMatches
from memory.circuit_breaker import Dependency
from memory.fingerprints import NEAR_DUPLICATE_BITS, hamming_distance, simhash64
from memory.ingestion.normalisation import normalise
from memory.store.forgetting import PartialForgetting
from memory.store.incognito_conversations import largest_owner
from memory.types import NewMemory, Privacy, SaveOutcome

MAX_CONVERSATION_STATES = 1000


@dataclass(frozen=True)
class Choice:
    """One of several answers."""

    id: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """`text` is what is shown, word for word. Where there are `choices`, one of them is the answer,
    else yes or no."""

    text: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class ForgetQuestion(Question):
    """Whether these memories shall go, of some only `parts`, and what was `said`. `asked_in` is the
    turn whose words name them, and go too. `unlearned` is a message that is not learned from then.
    """

    ids: tuple[UUID, ...]
    for_good: bool
    asked_in: UUID | None = None
    said: TranscriptMatches | None = None
    parts: tuple[PartialForgetting, ...] = ()
    unlearned: UUID | None = None


@dataclass(frozen=True)
class EraseQuestion(Question):
    """Whether everything of the user shall go."""


@dataclass(frozen=True)
class ReplacementQuestion(Question):
    """Whether the newer of two memories replaces the older one."""

    doubt_id: UUID


@dataclass(frozen=True)
class CommandQuestion(Question):
    """Whether a command that a model passed on shall be obeyed: on these memories, whatever “that”
    means by then, or by keeping the `item`."""

    command: Command
    ids: tuple[UUID, ...] = ()
    item: NewMemory | None = None


@dataclass(frozen=True)
class EditQuestion(Question):
    """Whether a memory that says `before` shall say `after`."""

    item_id: UUID
    before: str
    after: str


@dataclass(frozen=True)
class WhichQuestion(Question):
    """Which of the memories that are its choices a command means."""

    command: Command


PendingQuestion = (
    ForgetQuestion
    | EraseQuestion
    | ReplacementQuestion
    | CommandQuestion
    | EditQuestion
    | WhichQuestion
)


@dataclass(frozen=True)
class PendingNotice:
    """A sentence about what was learned, and the question it asks; `outcome` is what became of the
    memory, with the first sentence about it."""

    sentence: str
    question: PendingQuestion | None = None
    outcome: SaveOutcome | None = None


@dataclass
class ConversationState:
    """`mentioned` holds the memories of the last turn: those it kept or found, else those it only
    recalled. `answered` is what the last answer rests on, None before the first.
    `unsaid` says that what went last was only said, and cannot be brought back.
    `numbered` says that its memories were shown with their numbers.
    `asked` is a question that was not shown yet, `question` one that was, which the next message
    may answer; `last_turn` is the turn that was last stored when it was asked, and
    `question_in_reply` says that the reply of that turn, which is stored, has its words.
    `withheld` is a message that nothing is learned from unless something else than a yes is said.
    `unanswered` says that a question was taken back by something else that was said.
    `privacy` is None until the first turn reads how conversations begin in the space; `is_stored`
    says that something of the conversation was stored.
    `degraded` names what was said to be left alone.
    `noticed` holds what was learned behind the last replies and has not been told yet. `replied` is
    the SimHash of the last reply. `began` is when this process first heard of it."""

    space: str
    privacy: Privacy | None = None
    is_stored: bool = False
    mentioned: tuple[UUID, ...] = ()
    answered: AnswerBasis | None = None
    numbered: bool = False
    forgotten: tuple[UUID, ...] = ()
    replaced: tuple[UUID, ...] = ()
    unsaid: bool = False
    last_message_id: UUID | None = None
    last_words: str | None = None
    refused: NewMemory | None = None
    asked: PendingQuestion | None = None
    question: PendingQuestion | None = None
    question_in_reply: bool = False
    last_turn: UUID | None = None
    withheld: UUID | None = None
    unanswered: bool = False
    degraded: frozenset[Dependency] = frozenset()
    noticed: list[PendingNotice] = field(default_factory=list)
    replied: int | None = None
    began: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)

    def take_news(self) -> list[PendingNotice]:
        """What was learned and has not been told yet, as far as the first question in it. The rest
        waits for that answer."""
        told = []
        while self.noticed and self.question is None and self.asked is None:
            news = self.noticed.pop(0)
            self.asked, self.question_in_reply = news.question, False
            told.append(news)
        return told

    def note_shown(self, question: Question) -> None:
        """It is open from now on, unless something else was said since: no “yes” answers what
        nobody was asked."""
        if self.asked is question:
            self.asked, self.question = None, self.asked

    def take_question(self) -> PendingQuestion | None:
        """The open one. Whatever is said takes it back, and one that was not shown."""
        question, self.question, self.asked = self.question, None, None
        return question

    def mention(self, ids: Sequence[UUID]) -> None:
        """What “that” stands for from here on."""
        self.mentioned = tuple(ids)

    def note_reply(self, text: str) -> None:
        self.replied = simhash64(normalise(text)) if text else None

    def is_last_reply(self, words: str) -> bool:
        """Whether the last reply was pasted back: nothing of it is the user's."""
        return self.replied is not None and (
            hamming_distance(self.replied, simhash64(normalise(words))) <= NEAR_DUPLICATE_BITS
        )

    def start_over(self, privacy: Privacy) -> None:
        """Another privacy: nothing that was meant before is meant any more."""
        fresh = ConversationState(self.space, privacy, self.is_stored)
        self.__dict__.update(fresh.__dict__)


class ConversationStates:
    """The states of this process's conversations. Beyond MAX_CONVERSATION_STATES one of the user
    goes who has the most, so that nobody pushes out another's: the least recently used one that is
    not incognito, and with it nothing but the meaning of “that”; where all are incognito, one of
    those, which then is a conversation that nobody knows any more."""

    def __init__(self) -> None:
        self._dialogues: OrderedDict[tuple[str, UUID], ConversationState] = OrderedDict()

    def of(self, user_id: str, conversation_id: UUID, space: str) -> ConversationState:
        """The dialogue of a conversation, begun where there is none. In another space it begins
        anew, as private as it was."""
        key = (user_id, conversation_id)
        dialogue = self._dialogues.get(key)
        if dialogue is None:
            dialogue = self._dialogues[key] = ConversationState(space)
        elif dialogue.space != space:
            dialogue = self._dialogues[key] = ConversationState(space, dialogue.privacy)
        self._dialogues.move_to_end(key)
        self._drop_oldest(key)
        return dialogue

    def _drop_oldest(self, current: tuple[str, UUID]) -> None:
        if len(self._dialogues) <= MAX_CONVERSATION_STATES:
            return
        owner = largest_owner(user_id for user_id, _ in self._dialogues)
        others = [key for key in self._dialogues if key != current and key[0] == owner]
        usual = (key for key in others if self._dialogues[key].privacy in {None, "normal"})
        del self._dialogues[next(usual, others[0])]

    def known(self, user_id: str, conversation_id: UUID) -> ConversationState | None:
        """The dialogue of a conversation where there is one in this process."""
        return self._dialogues.get((user_id, conversation_id))

    def drop(self, user_id: str, conversation_id: UUID) -> None:
        self._dialogues.pop((user_id, conversation_id), None)

    def drop_user(self, user_id: str) -> None:
        for key in [key for key in self._dialogues if key[0] == user_id]:
            del self._dialogues[key]
