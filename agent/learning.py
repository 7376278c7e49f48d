"""Learning from a turn behind its reply, and what it came to, for whoever shows the turn."""

from __future__ import annotations

import asyncio
from datetime import datetime
from uuid import UUID

import structlog

from agent.background import Background
from agent.context import TurnContext
from agent.dialogue import AskedWhichHolds, Dialogue
from memory.models import Origin, Outcome
from memory.write.candidates import Said

_log = structlog.get_logger(__name__)


class Learning:
    """One task for each turn; a conversation's next command waits for it, so that “forget that”
    also reaches what is being learned at that moment."""

    def __init__(self, background: Background, timeout: float) -> None:
        self._background = background
        self._timeout = timeout
        self._under_way: dict[tuple[str, UUID], asyncio.Task[None]] = {}

    def begin(self, turn: TurnContext, text: str, said_at: datetime) -> None:
        """Looks at what was said as soon as the loop is free."""
        said = Said(text=text, said_at=said_at, message_id=turn.message_id)
        key = (turn.user_id, turn.conversation_id)
        task = self._background.own(self._learn(turn, said, self._under_way.get(key)))
        self._under_way[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))

    async def settle(self, user_id: str, conversation_id: UUID, seconds: float) -> None:
        """Waits until the conversation's turns are learned from, at most `seconds`."""
        task = self._under_way.get((user_id, conversation_id))
        if task is not None:
            await asyncio.wait([task], timeout=seconds)

    async def _learn(
        self, turn: TurnContext, said: Said, earlier: asyncio.Task[None] | None
    ) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        origin = Origin("learning", turn.correlation_id)
        recalled = [item.content for item in turn.recalled]
        try:
            async with asyncio.timeout(self._timeout):
                outcomes = await turn.memory.learn(
                    turn.user_id, turn.space, said, origin=origin, recalled=recalled
                )
        except Exception as error:  # the message waits to be learned from later
            _log.error("not_learned", reason=type(error).__name__)
            return
        for outcome in outcomes:
            _notice(turn.dialogue, outcome)

    def _ended(self, key: tuple[str, UUID], task: asyncio.Task[None]) -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]


def _notice(dialogue: Dialogue, outcome: Outcome) -> None:
    """Tells the dialogue what was learned, and what has to be asked; a repeat says nothing."""
    dialogue.mentioned = (outcome.item.id, *dialogue.mentioned)
    dialogue.noticed += told(outcome)
    if outcome.kind == "doubtful":
        dialogue.question = AskedWhichHolds(outcome.doubt_ids[0])


def told(outcome: Outcome) -> list[str]:
    """The sentences that tell the user of it."""
    match outcome.kind:
        case "kept":
            return [f"noted: {outcome.item.content}"]
        case "replaced":
            older = "; ".join(item.content for item in outcome.older)
            return [f"noted: {outcome.item.content} (before: {older})"]
        case "doubtful":
            older = outcome.older[0].content
            return [
                f"noted: {outcome.item.content}",
                f"You told me before: “{older}”. Does the new one replace it? Say yes or no.",
            ]
        case "repeated":
            return []
