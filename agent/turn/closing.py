"""How a turn ends: its reply is stored as far as it went, and what goes on behind it begins."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent.talks.dialogue import Dialogues
from agent.turn.background import Background
from agent.turn.counting import count_turn
from agent.turn.degraded import degraded_notices
from agent.turn.events import TurnClosed
from agent.turn.learning import Learning
from agent.turn.replies import Replies
from agent.turn.turn import Turn
from memory.counters import Counters
from memory.guard import Guards
from memory.service import Memory


@dataclass
class Closing:
    memory: Memory
    dialogues: Dialogues
    replies: Replies
    learning: Learning
    background: Background
    guards: Guards
    counters: Counters

    async def close(self, turn: Turn) -> TurnClosed:
        """What the turn came to. A reply is stored even while the caller is being cancelled."""
        return await asyncio.shield(self.background.own(self._close(turn)))

    async def _close(self, turn: Turn) -> TurnClosed:
        count_turn(turn, self.counters)
        if turn.context.erased:
            self.dialogues.drop_user(turn.context.user_id)
            return turn.closed(stored=True)
        if turn.context.forgotten:
            turn.session.mistrust_history()
        stored = turn.opened is None or await self.replies.save(turn.session, turn.as_message())
        turn.context.note_mentions()
        self._go_on_behind(turn)
        return turn.closed(stored, degraded_notices(self.guards, turn.context.dialogue))

    def _go_on_behind(self, turn: Turn) -> None:
        """Learns from what was said and embeds it, while the user already reads the reply."""
        opened, dialogue = turn.opened, turn.context.dialogue
        if opened is None:
            return
        if turn.wish is None:
            dialogue.last_said, dialogue.last_words = opened.id, turn.heard.redacted
        pasted = dialogue.is_last_reply(turn.heard.words)
        for said in turn.lessons():
            if not (pasted and said.role == "user"):
                self.learning.begin(turn.context, said)
        if pasted:
            self.background.own(self.memory.learner.skip(turn.context.user_id, opened.id))
        dialogue.note_reply(turn.reply.text)
        if turn.waits and not turn.learns:  # the conversation became private in the course of it
            self.background.own(self.memory.learner.skip(turn.context.user_id, opened.id))
        if dialogue.privacy == "normal":
            self.background.own(self.memory.embed_waiting(turn.context.user_id))
