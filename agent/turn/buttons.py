"""Carrying out what a front door has a button for, outside of any talk."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agent.commands.command import Command
from agent.commands.understand import Wish
from agent.explanation import Explanation
from agent.turn.heard import NOTHING
from agent.turn.learning import Learning
from agent.turn.opening import Opening
from agent.turn.turn import Turn
from memory.models import KeptItem, Privacy


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
class Obeying:
    """`settle_timeout` is how long a command waits for what is being learned, in seconds."""

    opening: Opening
    learning: Learning
    settle_timeout: float

    async def obey(
        self, user_id: str, conversation_id: UUID, command: Command, space: str
    ) -> Obeyed:
        """What it asks is answered by the next message. Raises DatabaseUnavailable."""
        await self.learning.settle(user_id, conversation_id, self.settle_timeout)
        dialogue = self.opening.dialogues.of(user_id, conversation_id, space)
        dialogue.question = None
        wish = Wish((command,))
        turn = await self.opening.begin(user_id, conversation_id, dialogue, NOTHING, wish)
        said = await wish.obey(turn.context)
        turn.context.note_mentions()
        if turn.context.erased:
            self.opening.dialogues.drop_user(user_id)
        return _obeyed(turn, said)


def _obeyed(turn: Turn, said: str) -> Obeyed:
    context = turn.context
    return Obeyed(
        said,
        tuple(context.forgotten),
        context.erased,
        context.dialogue.privacy or "normal",
        context.explained,
    )
