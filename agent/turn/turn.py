"""One turn: what was said, what is known of its conversation, the reply as far as it went, and what
it came to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog

from agent.commands.dispatch import Intent
from agent.commands.memories import hold_back, withhold_message
from agent.commands.parser import ReceivedMessage
from agent.conversations.session import ConversationSession
from agent.conversations.state import ConversationState
from agent.turn.context import TurnContext
from agent.turn.events import TurnClosed, TurnOpened
from agent.turn.notices import kept_notices, message_notices, turn_notices
from agent.turn.run import TurnReply
from memory.errors import KeepsakeError
from memory.ingestion.extraction import ExtractionInput, statements_in
from memory.metrics import MemoryMetrics
from memory.retrieval.query import content_words
from memory.secrets import redact, redact_quickly
from memory.store.messages import NewMessage
from memory.text import to_storable
from memory.types import (
    MemoryItem,
    RecalledMessage,
    Role,
    SpaceSettings,
    StoredMemory,
    StoredMessage,
)
from memory.understanding import Interpretation, Segment
from memory.understanding.sentences import is_question

# Of the words that a memory adds to the question. A reply that tells it in other words is missed,
# one that shares half of them by chance is taken: over many turns it is a rate, not a proof.
LEAST_SHARE = 0.5
_log = structlog.get_logger(__name__)


def cites_memory(reply: str, question: str, memory: str) -> bool:
    """Whether it holds at least half of what the memory says beyond the question's own words. A
    memory that adds no word cannot be told from the question, and counts as not used. The words
    that say nothing are known in English alone."""
    own = content_words(memory) - content_words(question)
    return bool(own) and len(own & content_words(reply)) >= LEAST_SHARE * len(own)


def cites_any_memory(reply: str, question: str, memories: Iterable[str]) -> bool:
    return any(cites_memory(reply, question, memory) for memory in memories)


@dataclass
class Turn:
    """`wish` is None where the model answers. `opened` is the user's message as it is stored,
    None where the turn leaves no trace; `waits` says that it was marked to be learned from."""

    heard: ReceivedMessage
    wish: Intent | None
    context: TurnContext
    session: ConversationSession
    known: SpaceSettings
    learn_roles: Collection[Role]
    opened: StoredMessage | None = None
    waits: bool = False
    reply: TurnReply = field(default_factory=TurnReply)

    @property
    def may_learn(self) -> bool:
        """Whether ingestion may look at it: talk, or what is told beside a command or a wish to
        leave something out, where memory is on and nothing private."""
        return self._tells and self._is_kept and not self.context.asks_for_privacy

    @property
    def _is_kept(self) -> bool:
        return self.known.memory_mode == "full" and self.context.dialogue.privacy == "normal"

    @property
    def remaining_question(self) -> str:
        """What a command leaves to be answered."""
        if self.wish is None or not self.wish.commands or self.wish.unstored:
            return ""
        return " ".join(each.text for each in self.beside if each.asks)

    @property
    def beside(self) -> tuple[Segment, ...]:
        """What was said but for the commands and what is to be left out."""
        return self.heard.beside(() if self.wish is None else self.wish.commands)

    @property
    def _is_whole(self) -> bool:
        """Whether all of it is talk, and may be kept."""
        talks = self.wish is None and not self.context.off_the_record
        return talks and len(self.beside) == len(self.heard.reading.segments)

    @property
    def _wants_anyway(self) -> bool:
        commands = () if self.wish is None else self.wish.commands
        return any(each.name == "remember_anyway" for each in commands)

    @property
    def _is_recallable(self) -> bool:
        """Whether it may be found again as it was said, and its reply be learned from: both have
        the words of what is to be left out."""
        return self.wish is None and self.may_learn and not self.context.off_the_record

    @property
    def _tells(self) -> bool:
        if self._is_whole:
            return True
        talks = self.wish is None or bool(self.wish.commands)
        return talks and bool(statements_in(self.beside))

    @property
    def _held_back(self) -> str | None:
        """Nothing where what is to be left out is held back instead, or nothing may be kept."""
        is_kept = self._is_kept and not self.context.off_the_record
        return self.heard.held_back if is_kept else None

    @property
    def _offers_anyway(self) -> bool:
        """Whether what may be no secret of this message is kept if the user says so."""
        refused = self.context.dialogue.refused
        if refused is None or not refused.is_no_secret or self.opened is None:
            return False
        return refused.source_message_id == self.opened.id

    async def open(self, instead_of: UUID | None = None) -> None:
        """Stores what was said, but for what begins or ends an incognito conversation; in the place
        of the last turn where that is named. Raises DatabaseUnavailable and NotTheLastTurn."""
        if self.wish is not None and self.wish.unstored:
            if instead_of is not None:
                await self.session.take_back(instead_of)
            return
        self.waits = self.may_learn
        self.opened = await self.session.open_turn(
            self.heard.redacted if self.known.redact_messages else self.heard.text,
            self.context.correlation_id,
            needs_learning=self.waits and "user" in self.learn_roles,
            recallable=self._is_recallable and not is_question(self.heard.words),
            instead_of=instead_of,
            utc_offset_minutes=self.context.utc_offset_minutes,
            claimed_by=self.context.claim,
        )
        self.context.message_id = self.opened.id
        dialogue = self.context.dialogue
        dialogue.is_stored = dialogue.is_stored or dialogue.privacy == "normal"
        dialogue.last_turn = self.context.correlation_id
        if not self._wants_anyway:
            hold_back(self._held_back, self.context)
        if self.context.off_the_record:
            self.context.unkept = self.heard.left_out if self._is_kept else ()
            withhold_message(self.context)

    def reply_message(self) -> NewMessage:
        """The reply as far as it went, with the ids and figures of what it rests on, never a
        word of it. Blocking where it is whole: the encoder looks for secrets in it."""
        rested_on = (
            *({"item_id": item.id, **_scored(item)} for item in self.context.recalled),
            *(
                {"message_id": item.id, **_relevance(item)}
                for item in self.context.recalled_messages
            ),
        )
        reply = self.reply.text
        if self.known.redact_messages:
            reply = redact(reply) if self.reply.status == "complete" else redact_quickly(reply)
        return NewMessage(
            "assistant",
            to_storable(reply),
            self.context.correlation_id,
            self.reply.status,
            recalled=rested_on,
            needs_learning=self._is_recallable and self.waits and "assistant" in self.learn_roles,
            recallable=self._is_recallable and not self.context.recalled_messages,
            id=self.reply.id,
            utc_offset_minutes=self.context.utc_offset_minutes,
            claimed_by=self.context.claim,
        )

    def texts_to_learn(self) -> list[ExtractionInput]:
        """What may be learned from: the sides of the turn that the settings name (002's role
        rule)."""
        if self.opened is None or not self.may_learn:
            return []
        said_at = self.opened.created_at.astimezone(self.context.zone)
        heard = self.heard
        user = ExtractionInput(
            text=heard.redacted if self._is_whole else " ".join(e.text for e in self.beside),
            said_at=said_at,
            message_id=self.opened.id,
            reading=Interpretation(self.beside),
        )
        assistant = ExtractionInput(
            text=self.reply.text, said_at=said_at, role="assistant", message_id=self.reply.id
        )
        sides = [user, assistant] if self._is_recallable else [user]
        return [each for each in sides if each.role in self.learn_roles]

    def note_words(self, dialogue: ConversationState) -> None:
        """What “save that” and “forget that” mean from here on. Commands alone change nothing of
        it, nor do thanks."""
        commands = () if self.wish is None else self.wish.commands
        told = self.heard.told(commands) if self.wish is None or commands else None
        if self.opened is None or (self.wish is not None and told is None):
            return
        dialogue.last_message_id = self.opened.id
        if told is not None or not self.heard.is_small_talk:
            dialogue.last_words = told

    def opened_event(self) -> TurnOpened:
        context = self.context
        privacy = context.dialogue.privacy or "normal"
        return TurnOpened(context.correlation_id, privacy, is_kept=self.opened is not None)

    def closed(self, stored: bool, degraded: Sequence[str] = ()) -> TurnClosed:
        """What the turn tells whoever shows it, in the end; `degraded` is said of the parts."""
        turn = self.context
        return TurnClosed(
            status=self.reply.status,
            memories=tuple(turn.recalled),
            messages=tuple(turn.recalled_messages),
            left_out=turn.left_out,
            min_relevance=turn.min_relevance,
            kept=tuple(turn.kept),
            changed=turn.changed,
            forgotten=tuple(turn.forgotten),
            unsaid=tuple(turn.unsaid),
            erased=turn.erased,
            privacy=turn.dialogue.privacy or "normal",
            notices=(
                *turn_notices(turn, stored),
                *self._kept_notices(),
                *message_notices(
                    self.heard,
                    redacted=self.known.redact_messages,
                    offers_anyway=self._offers_anyway,
                ),
                *degraded,
            ),
            saved=stored,
            question=turn.dialogue.asked,
            question_in_reply=not turn.asked_by_model,
        )

    def _kept_notices(self) -> list[str]:
        context = self.context
        tells = self._tells and bool(statements_in(self.beside))
        if not tells or context.off_the_record:
            return []
        return kept_notices(context.dialogue.privacy or "normal", self.known.memory_mode)


def _scored(item: MemoryItem) -> dict[str, Any]:
    likely = {
        **_relevance(item),
        "answers": round(item.answer_score, 4),
        "confidence": item.confidence,
    }
    if item.why is None:
        return likely
    scores = {name: round(value, 4) for name, value in item.why.scores}
    ranks = {"keyword": item.why.keyword_rank, "vector": item.why.vector_rank}
    return {**likely, "scores": scores, "ranks": ranks}


def _relevance(item: MemoryItem | RecalledMessage) -> dict[str, float]:
    return {"relevance": round(item.relevance_score, 4)}


def count_turn(turn: Turn, counters: MemoryMetrics) -> None:
    """For 000's hit rate: a turn that recalled memories, and one whose reply used one of them. What
    commands show of memory is no recall. Counted is never whose the turn was, nor a word of it."""
    counters.turns.labels(turn.context.dialogue.privacy or "normal").inc()
    recalled = turn.context.recalled
    if not recalled:
        return
    counters.turns_recalled.inc()
    if cites_any_memory(turn.reply.text, turn.heard.words, (item.content for item in recalled)):
        counters.turns_cited.inc()


async def unlearn(turn: Turn) -> None:
    """Forgets what the turn taught in whose place this one is. Where that fails, the turn goes on,
    and its notices say so."""
    taken, context = turn.session.taken_back, turn.context
    if taken is None:
        return
    gone: list[StoredMemory] = []
    try:
        if context.dialogue.privacy == "normal":
            gone = await context.memory.taking_back.unlearn(context.user_id, taken, context.origin)
    except KeepsakeError as error:
        _log.error("not_unlearned", reason=type(error).__name__)
        context.unlearning_failed = True
    context.forgotten += gone
    _start_over(context.dialogue, gone)


def _start_over(dialogue: ConversationState, gone: list[StoredMemory]) -> None:
    """“That” means nothing of the turn that is gone."""
    ids = {each.id for each in gone}
    dialogue.mention(())
    dialogue.answered, dialogue.replaced = None, ()
    dialogue.noticed = [
        news for news in dialogue.noticed if news.outcome is None or news.outcome.item.id not in ids
    ]
