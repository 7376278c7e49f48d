"""Forgetting by command: what goes is shown and asked about once, and can be undone."""

from __future__ import annotations

from agent.commands.history_choice import CHOICES
from agent.commands.which import NOTHING_KNOWN, NOTHING_MEANT, listed, meant, read_living
from agent.context import TurnContext
from agent.dialogue import AskedToErase, AskedToForget
from agent.plain_words.commands import Command
from memory.store.forgetting import History

NOTHING_TO_UNDO = "There is nothing to undo."
NOT_IN_MEMORY = (
    "All right. Nothing of that is kept in memory; the conversation still has the words."
)


async def forget(command: Command, turn: TurnContext) -> str:
    """One memory that the user plainly means goes at once, and can be brought back; several, one
    for good, or what a model wants forgotten are asked about."""
    items = await meant(command, turn, removed=True)
    if not items:
        return _nothing_found(command)
    shown = await turn.memory.forgetting.preview(turn.user_id, [item.id for item in items])
    ids = tuple(item.id for item in items)
    plain = len(shown) == 1 and turn.dialogue.meant and command.about is None
    if plain and turn.actor == "user" and not command.for_good:
        return await let_go(AskedToForget(ids, for_good=False), turn)
    turn.dialogue.question = AskedToForget(ids, command.for_good, turn.correlation_id)
    how = "This will be erased for good" if command.for_good else "This will be forgotten"
    return f"{how}: {listed(shown)}\n\n{CHOICES}\n\nShall I? Say yes or no."


async def let_go(asked: AskedToForget, turn: TurnContext, history: History = "redact") -> str:
    """Forgets what was shown."""
    shown = await turn.memory.forgetting.preview(turn.user_id, asked.ids)
    forgotten = await turn.memory.forgetting.forget(
        turn.user_id, asked.ids, turn.origin, for_good=asked.for_good, history=history
    )
    if asked.asked_in is not None:
        await turn.memory.conversations.blank_turn(turn.user_id, asked.asked_in)
    turn.forgotten += shown
    turn.dialogue.mention((), meant=False)
    turn.dialogue.replaced = ()
    turn.dialogue.forgotten = () if asked.for_good else forgotten.ids
    if asked.for_good:
        return "Erased for good."
    return f"Forgotten: {listed(shown)}\n\nSay “undo” within a day if you want that back."


async def dont_remember(_command: Command, turn: TurnContext) -> str:
    """Nothing is learned from what was said last, and what was learned of it is forgotten."""
    last = turn.dialogue.last_said
    if last is None:
        return NOT_IN_MEMORY
    await turn.memory.learner.skip(turn.user_id, last)
    learned = await turn.memory.entries.learned_from(turn.user_id, last)
    if not learned:
        return NOT_IN_MEMORY
    told = await let_go(AskedToForget(tuple(item.id for item in learned), for_good=False), turn)
    return f"All right. {told}"


async def undo(_command: Command, turn: TurnContext) -> str:
    """Brings back what was replaced in the last turn, else what was forgotten last, in this
    conversation or else in any."""
    if turn.dialogue.replaced:
        return await _undo_replacing(turn)
    back = await turn.memory.forgetting.undo(
        turn.user_id, turn.dialogue.forgotten or None, turn.origin
    )
    turn.dialogue.forgotten = ()
    if not back:
        return NOTHING_TO_UNDO
    items = await read_living(back, turn)
    turn.dialogue.mention(back, meant=True)
    return f"It is back: {listed(items)}"


async def _undo_replacing(turn: TurnContext) -> str:
    older, turn.dialogue.replaced = turn.dialogue.replaced, ()
    items = [
        await turn.memory.doubts.undo_supersede(turn.user_id, each, origin=turn.origin)
        for each in older
    ]
    return f"Both hold again. It is back: {listed(items)}"


async def erase_me(_command: Command, turn: TurnContext) -> str:
    turn.dialogue.question = AskedToErase()
    return (
        "This erases everything I have of you, at once and for good: memories, conversations, "
        "settings and the log. /export FILE saves a copy first; /forget everything forgets the "
        "memories alone, and can be undone.\n\nShall I? Say yes or no."
    )


async def erase(turn: TurnContext) -> str:
    """Erases the user whole; this turn included."""
    await turn.memory.portability.erase_everything(turn.user_id)
    turn.erased = True
    return "Everything I had of you is erased."


def _nothing_found(command: Command) -> str:
    if command.everything:
        return NOTHING_KNOWN
    if command.about is None:
        return NOTHING_MEANT
    return f"I have nothing in memory about “{command.about}”."
