"""Forgetting by command: what goes is shown and asked about once, and can be undone."""

from __future__ import annotations

from agent.commands.history_choice import CHOICES
from agent.commands.which import NOTHING_MEANT, listed, meant, read_living
from agent.context import TurnContext
from agent.dialogue import AskedToErase, AskedToForget
from agent.plain_words.commands import Command
from memory.store.forgetting import History

NOTHING_TO_UNDO = "There is nothing to undo: what was erased for good cannot come back."


async def forget(command: Command, turn: TurnContext) -> str:
    """One memory that is plainly meant goes at once; several, or one for good, are asked about."""
    items = await meant(command, turn)
    if not items:
        return NOTHING_MEANT if command.about is None else _nothing_about(command.about)
    shown = await turn.memory.forgetting.preview(turn.user_id, [item.id for item in items])
    ids = tuple(item.id for item in items)
    if len(shown) == 1 and command.about is None and not command.for_good:
        return await let_go(AskedToForget(ids, for_good=False), turn)
    turn.dialogue.question = AskedToForget(ids, command.for_good)
    how = "This will be erased for good" if command.for_good else "This will be forgotten"
    return f"{how}: {listed(shown)} Shall I? Say yes or no. {CHOICES}"


async def let_go(asked: AskedToForget, turn: TurnContext, history: History = "redact") -> str:
    """Forgets what was shown."""
    shown = await turn.memory.forgetting.preview(turn.user_id, asked.ids)
    forgotten = await turn.memory.forgetting.forget(
        turn.user_id, asked.ids, turn.origin, for_good=asked.for_good, history=history
    )
    turn.forgotten += shown
    turn.dialogue.mentioned = ()
    turn.dialogue.forgotten = () if asked.for_good else forgotten.ids
    if asked.for_good:
        return "Erased for good."
    count = "It is" if len(forgotten.ids) == 1 else f"{len(forgotten.ids)} memories are"
    return f"{count} forgotten. Say “undo” within a day to bring it back; then it is erased."


async def dont_remember(_command: Command, turn: TurnContext) -> str:
    """Nothing is learned from what was said last, and what was learned of it is forgotten."""
    last = turn.dialogue.last_said
    if last is None:
        return "All right, nothing of that is kept."
    await turn.memory.learner.skip(turn.user_id, last)
    learned = await turn.memory.entries.learned_from(turn.user_id, last)
    if not learned:
        return "All right, nothing of that is kept in memory."
    told = await let_go(AskedToForget(tuple(item.id for item in learned), for_good=False), turn)
    return f"All right. {told}"


async def undo(_command: Command, turn: TurnContext) -> str:
    """Brings back what was forgotten last, in this conversation or else in any."""
    back = await turn.memory.forgetting.undo(
        turn.user_id, turn.dialogue.forgotten or None, turn.origin
    )
    turn.dialogue.forgotten = ()
    if not back:
        return NOTHING_TO_UNDO
    items = await read_living(back, turn)
    turn.dialogue.mentioned = tuple(back)
    return f"It is back: {listed(items)}"


async def erase_me(_command: Command, turn: TurnContext) -> str:
    turn.dialogue.question = AskedToErase()
    return (
        "This erases everything I have of you, at once and for good: memories, conversations, "
        "settings and the log. /export FILE saves a copy first. Shall I? Say yes or no."
    )


async def erase(turn: TurnContext) -> str:
    """Erases the user whole; this turn included."""
    await turn.memory.portability.erase_everything(turn.user_id)
    turn.erased = True
    return "Everything I had of you is erased."


def _nothing_about(words: str) -> str:
    return f"I have nothing in memory about “{words}”."
