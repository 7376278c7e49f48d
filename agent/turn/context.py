"""What a turn knows: whose it is, and what its tools did. The model never sees this object."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timezone
from uuid import UUID

from agent.conversations.state import CommandQuestion, ConversationState, PendingQuestion
from agent.explanation import Explanation, make_answer_basis
from memory.service import MemoryService
from memory.types import (
    Confidence,
    ErasedUser,
    LeftOut,
    MemoryItem,
    MemoryQueryResponse,
    MessageQueryResponse,
    Origin,
    RecalledMessage,
    StoredMemory,
)

_WORD = re.compile(r"\w+")
_PRIVATE = {"do_not_remember", "incognito_on", "incognito_read_only"}


@dataclass
class TurnContext:
    """The run context of the SDK. Identity comes from here, never from the model's arguments.
    `changed` is what memories said before they were corrected. `unsaid` are the sentences that
    were forgotten from what was said. `explained` is set where the turn explained the last
    answer. The `recalls` are kept by the id of the call that asked; under `recalling` one call of a
    tool at a time takes from the budget, under `proposing` one asks. `unlearning_failed` says that
    what a turn taught which was taken back could not be forgotten. `said` is what the turn is
    about, and `past_episodes` the section about tasks like it, None until it is looked up.
    `off_the_record` says that the user asked that the message, or the `unkept` words of it, be not
    kept. `question` is what the turn asks, at most one thing; `asked_by_model` says that its words
    do not stand in the reply.
    `erase_user` erases everything of the user, where a turn is answered. `zone` is where they are,
    None for that of this machine; `claim` is the name under which the turn is learned from."""

    user_id: str
    conversation_id: UUID
    correlation_id: UUID
    memory: MemoryService
    dialogue: ConversationState
    max_results: int
    min_relevance: float
    token_budget: int
    min_confidence: Confidence = "related"
    message_id: UUID | None = None
    recalls: dict[str, MemoryQueryResponse] = field(default_factory=dict)
    message_recalls: dict[str, MessageQueryResponse] = field(default_factory=dict)
    kept: list[StoredMemory] = field(default_factory=list)
    changed: dict[UUID, str] = field(default_factory=dict)
    forgotten: list[StoredMemory] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    explained: Explanation | None = None
    erased: bool = False
    erase_user: Callable[[], Awaitable[ErasedUser]] | None = None
    unlearning_failed: bool = False
    recalling: asyncio.Lock = field(default_factory=asyncio.Lock)
    proposing: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_talk: bool = True
    said: str = ""
    past_episodes: str | None = None
    off_the_record: bool = False
    unkept: tuple[str, ...] = ()
    question: PendingQuestion | None = None
    asked_by_model: bool = False
    zone: timezone | None = None
    claim: str | None = None

    @property
    def space(self) -> str:
        return self.dialogue.space

    @property
    def utc_offset_minutes(self) -> int:
        """Where the user is, east of UTC."""
        offset = datetime.now(UTC).astimezone(self.zone).utcoffset()
        assert offset is not None
        return round(offset.total_seconds() / 60)

    @property
    def now(self) -> datetime | None:
        """By the user's clock, where that is not the one of this machine."""
        return None if self.zone is None else datetime.now(self.zone)

    @property
    def origin(self) -> Origin:
        """Of what is commanded in this turn, or confirmed: by the user's words."""
        return Origin("user", self.correlation_id)

    def ask(self, question: PendingQuestion) -> str:
        """Asks when the turn is closed and the question shown; its words."""
        self.question = question
        return question.text

    def leaves_out(self, words: str) -> bool:
        """Whether the user asked that these words of the message be not kept."""
        told = _spaced_words(words)
        unkept = map(_spaced_words, self.unkept)
        named = any(each in told or told in each for each in unkept)
        return self.off_the_record and (named or not self.unkept)

    @property
    def asks_for_privacy(self) -> bool:
        """Whether nothing is learned from the message until that is answered."""
        return isinstance(self.question, CommandQuestion) and self.question.command.name in _PRIVATE

    @property
    def tokens_left(self) -> int:
        """What the recalls of this turn have left of its budget, in cl100k tokens."""
        used = sum(response.token_count for response in self.recalls.values())
        used += sum(response.token_count for response in self.message_recalls.values())
        return max(self.token_budget - used, 0)

    @property
    def recalled(self) -> list[MemoryItem]:
        """What all recalls of the turn brought in, each memory once, as what it answered best, in
        the order recalled."""
        seen: dict[str, MemoryItem] = {}
        for item in (each for response in self.recalls.values() for each in response.items):
            known = seen.setdefault(item.id, item)
            if known.answer_score < item.answer_score:
                seen[item.id] = item
        return list(seen.values())

    @property
    def recalled_messages(self) -> list[RecalledMessage]:
        """The past messages that all recalls of the turn brought in, each once."""
        seen: dict[str, RecalledMessage] = {}
        for response in self.message_recalls.values():
            for item in response.items:
                seen.setdefault(item.id, item)
        return list(seen.values())

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What the recalls of the turn left out and none of them brought in, each once at its
        best, the most relevant first."""
        used = {item.id for item in self.recalled}
        best: dict[str, LeftOut] = {}
        for each in (each for response in self.recalls.values() for each in response.left_out):
            known = best.get(each.id)
            if each.id not in used and (known is None or known.relevance < each.relevance):
                best[each.id] = each
        return tuple(sorted(best.values(), key=lambda each: -each.relevance))

    def update_state(self) -> None:
        """What “that” means in the next turn: what this one kept, else what it recalled. Talk that
        did neither leaves nothing to mean, and nothing to undo but forgetting; a command has said
        by itself what it was about."""
        if self.is_talk or self.recalls:
            self.dialogue.numbered = False
            self.dialogue.answered = make_answer_basis(
                self.recalled,
                [*self.recalls.values()],
                self.recalled_messages,
                self.min_relevance,
            )
        if self.kept:
            self.dialogue.mention([item.id for item in self.kept])
        elif self.is_talk:
            self.dialogue.mention([UUID(item.id) for item in self.recalled])
            self.dialogue.replaced = ()


def _spaced_words(text: str) -> str:
    """Its words alone, each between spaces, so that none is found within another."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
