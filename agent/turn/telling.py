"""What is told or asked between the turns: what was learned behind them, and open doubts."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agent.talks.dialogue import AskedWhichHolds, News
from agent.turn.learning import Learning, which_holds
from agent.turn.opening import Opening
from memory.service import Memory


@dataclass
class Telling:
    """`learn_timeout` is how long it waits for what is being learned, in seconds."""

    memory: Memory
    opening: Opening
    learning: Learning
    learn_timeout: float

    async def news(self, user_id: str, conversation_id: UUID, space: str) -> list[News]:
        """What was learned from the last turns and has not been told yet, and what has to be
        asked; waits for what is being learned at this moment."""
        await self.learning.settle(user_id, conversation_id, self.learn_timeout)
        return self.opening.dialogues.of(user_id, conversation_id, space).take_news()

    async def ask_doubt(self, user_id: str, conversation_id: UUID, space: str) -> str | None:
        """The question of the oldest doubt that is still open, which the next message answers."""
        dialogue = self.opening.dialogues.of(user_id, conversation_id, space)
        privacy = await self.opening.privacy(user_id, conversation_id, dialogue)
        doubts = await self.memory.in_privacy(privacy).doubts.open(user_id, space)
        if not doubts:
            return None
        dialogue.question = AskedWhichHolds(doubts[0].id)
        return which_holds(doubts[0].older.content, doubts[0].newer.content, dialogue.wording)
