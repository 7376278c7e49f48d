"""What a turn came to, as numbers: never whose it was, nor a word of it."""

from __future__ import annotations

from agent.turn.citing import uses_any
from agent.turn.turn import Turn
from memory.counters import Counters


def count_turn(turn: Turn, counters: Counters) -> None:
    """For 000's hit rate: a turn that recalled memories, and one whose reply used one of them.
    What commands show of memory is no recall."""
    counters.turns.labels(turn.context.dialogue.privacy or "normal").inc()
    recalled = turn.context.recalled
    if not recalled:
        return
    counters.turns_recalled.inc()
    if uses_any(turn.reply.text, turn.heard.words, (item.content for item in recalled)):
        counters.turns_cited.inc()
