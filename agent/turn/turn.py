"""One turn: what was said, what is known of its conversation, and the reply as far as it went."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from agent.commands.forgetting import leave_out
from agent.commands.understand import Wish
from agent.talks.session import ConversationSession
from agent.turn.context import TurnContext
from agent.turn.events import TurnClosed
from agent.turn.heard import Heard
from agent.turn.notices import notices_of, notices_of_message
from agent.turn.run import Reply
from memory.models import Message, Role
from memory.recall.choice.questions import is_question
from memory.recalls import MemoryItem, RecalledMessage
from memory.secrets import redact
from memory.store.conversations.messages import NewMessage
from memory.store.modes import SpaceSettings
from memory.text import storable
from memory.understanding import Reading, Segment
from memory.write.candidates import Said
from memory.write.extraction import statements_in


@dataclass
class Turn:
    """`wish` is None where the model answers. `opened` is the user's message as it is stored,
    None where the turn leaves no trace; `waits` says that it was marked to be learned from."""

    heard: Heard
    wish: Wish | None
    context: TurnContext
    session: ConversationSession
    known: SpaceSettings
    learn_roles: Collection[Role]
    opened: Message | None = None
    waits: bool = False
    reply: Reply = field(default_factory=Reply)

    @property
    def learns(self) -> bool:
        """Whether the write path may look at it: talk, or what is told beside a command or a wish
        to leave something out, where memory is on and nothing private."""
        private = self.context.dialogue.privacy != "normal"
        return self._tells and self.known.memory_mode == "full" and not private

    @property
    def asked_beside(self) -> str:
        """What a command leaves to be answered."""
        if self.wish is None or not self.wish.commands or self.wish.unstored:
            return ""
        return " ".join(each.text for each in self.beside if each.asks)

    @property
    def beside(self) -> tuple[Segment, ...]:
        """What was said but for the commands and what is to be left out."""
        return self.heard.beside(() if self.wish is None else self.wish.commands)

    @property
    def _is_plain_talk(self) -> bool:
        return self.wish is None and self.learns and not self.context.off_the_record

    @property
    def _tells(self) -> bool:
        if self.wish is None and not self.context.off_the_record:
            return True
        answers = self.wish is not None and not self.wish.commands
        return not answers and bool(statements_in(self.beside))

    async def open(self, instead_of: UUID | None = None) -> None:
        """Stores what was said, but for what begins or ends an incognito conversation; in the place
        of the last turn where that is named. Raises DatabaseUnavailable and NotTheLastTurn."""
        if self.wish is not None and self.wish.unstored:
            if instead_of is not None:
                await self.session.take_back(instead_of)
            return
        self.waits = self.learns
        self.opened = await self.session.open_turn(
            self.heard.redacted if self.known.redact_messages else self.heard.text,
            self.context.correlation_id,
            needs_learning=self.waits and "user" in self.learn_roles,
            recallable=self._is_plain_talk and not is_question(self.heard.words),
            instead_of=instead_of,
        )
        self.context.message_id = self.opened.id
        if self.context.off_the_record:
            self.context.unkept = self.heard.unkept if self.learns else ""
            leave_out(self.context)

    def as_message(self) -> NewMessage:
        """The reply as far as it went, with the ids and figures of what it rests on, never a
        word of it."""
        rested_on = (
            *({"item_id": item.id, **_scored(item)} for item in self.context.recalled),
            *(
                {"message_id": item.id, **_relevance(item)}
                for item in self.context.recalled_messages
            ),
        )
        reply = self.reply.text
        return NewMessage(
            "assistant",
            storable(redact(reply) if self.known.redact_messages else reply),
            self.context.correlation_id,
            self.reply.status,
            recalled=rested_on,
            needs_learning=self._is_plain_talk and self.waits and "assistant" in self.learn_roles,
            recallable=self._is_plain_talk and not self.context.recalled_messages,
            id=self.reply.id,
        )

    def lessons(self) -> list[Said]:
        """What may be learned from: the sides of the turn that the settings name (002's role
        rule)."""
        if self.opened is None or not self.learns:
            return []
        said_at = self.opened.created_at.astimezone()
        user = Said(
            text=self.heard.redacted
            if self._is_plain_talk
            else " ".join(each.text for each in self.beside),
            said_at=said_at,
            message_id=self.opened.id,
            reading=Reading(self.beside),
        )
        assistant = Said(
            text=self.reply.text, said_at=said_at, role="assistant", message_id=self.reply.id
        )
        sides = [user, assistant] if self._is_plain_talk else [user]
        return [each for each in sides if each.role in self.learn_roles]

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
            forgotten=tuple(turn.forgotten),
            unsaid=tuple(turn.unsaid),
            erased=turn.erased,
            privacy=turn.dialogue.privacy or "normal",
            notices=(
                *notices_of(turn, stored),
                *notices_of_message(self.heard, self.known, turn.wording),
                *degraded,
            ),
            saved=stored,
        )


def _scored(item: MemoryItem) -> dict[str, Any]:
    if item.why is None:
        return _relevance(item)
    scores = {name: round(value, 4) for name, value in item.why.scores}
    ranks = {"keyword": item.why.keyword_rank, "vector": item.why.vector_rank}
    return {**_relevance(item), "scores": scores, "ranks": ranks}


def _relevance(item: MemoryItem | RecalledMessage) -> dict[str, float]:
    return {"relevance": round(item.relevance_score, 4)}
