"""Keeping, correcting and pinning by command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.commands.display import NOTHING_MEANT, format_memories, memories_named_in, resolve_target
from agent.commands.parser import Command
from agent.conversations.state import ReplacementQuestion
from agent.turn.background import HOW_TO_SAY
from agent.turn.context import TurnContext
from memory.actions.entries import MemoryChanges
from memory.errors import MessageRefused, RecentlyForgotten, SecretRefused
from memory.secrets import SECRET_KINDS, redact
from memory.types import NewMemory, SaveOutcome, StoredMemory

NO_NEW_WORDS = "Tell me the new words: “change that to …”."
NOTHING_SAID = "Tell me what to remember: “remember that …”."


async def remember(command: Command, turn: TurnContext) -> str:
    """Keeps the words, or for “remember that” what was said before."""
    content = command.text or turn.dialogue.last_words
    if content is None:
        return NOTHING_SAID
    _refuse_removed(content)
    return await keep_item(requested_item(content, turn), turn)


def _refuse_removed(content: str) -> None:
    """Raises SecretRefused where a secret stood."""
    for kind in SECRET_KINDS:
        if f"[{kind} removed]" in content:
            raise SecretRefused(kind=kind)


def without_secrets(content: str) -> str:
    """Raises SecretRefused where there is one."""
    _refuse_removed(redact(content))
    return content


async def remember_anyway(_command: Command, turn: TurnContext) -> str:
    """Keeps what was refused because it had been forgotten, or left out because it was asked to
    be."""
    refused, turn.dialogue.refused = turn.dialogue.refused, None
    if refused is None:
        return NOTHING_SAID
    return await keep_item(refused.model_copy(update={"despite_forgotten": True}), turn)


async def keep_item(new: NewMemory, turn: TurnContext) -> str:
    """Keeps what the user asked to keep. Raises what `Memory.remember` raises, and MessageRefused
    in a turn of which nothing is to be kept."""
    if turn.off_the_record:
        raise MessageRefused(reason="the user asked that nothing of it be kept")
    try:
        outcome = await turn.memory.remember(turn.user_id, new, turn.origin)
    except RecentlyForgotten:
        turn.dialogue.refused = new
        raise
    turn.kept.append(outcome.item)
    if outcome.kind == "replaced":
        turn.dialogue.replaced = tuple(item.id for item in outcome.older)
    said = _said_of(outcome)
    if outcome.kind == "doubtful":
        turn.ask(ReplacementQuestion(outcome.doubt_ids[0], text=said))
    return said


async def edit(command: Command, turn: TurnContext) -> str:
    """Puts new words in the place of the memory that is meant, or of some words of it. Those that
    had been forgotten are refused, and can be kept anyway, as a memory of their own."""
    if not command.text:
        return NO_NEW_WORDS
    items = await (
        resolve_target(command, turn) if command.old is None else _holding(command, turn)
    )
    if not items:
        return NOTHING_MEANT
    if len(items) > 1:
        return say_which(items, "change")
    content = _reworded(items[0].content, command)
    _refuse_removed(content)
    try:
        changed = await turn.memory.entries.edit(
            turn.user_id, items[0].id, MemoryChanges(content=content), turn.origin
        )
    except RecentlyForgotten:
        turn.dialogue.refused = requested_item(content, turn)
        raise
    turn.kept.append(changed)
    return f"Changed. Before: “{items[0].content}” Now: “{changed.content}”"


async def _holding(command: Command, turn: TurnContext) -> list[StoredMemory]:
    """The memories that hold the old words: those that the command means, else all."""
    known = await turn.memory.entries.all(turn.user_id, turn.space)
    holding = [each for each in known if _place(each.content, command.old) is not None]
    spoken_of = {each.id for each in await memories_named_in(command, turn)} | set(
        turn.dialogue.mentioned
    )
    return [each for each in holding if each.id in spoken_of] or holding


def _reworded(content: str, command: Command) -> str:
    place = _place(content, command.old)
    new = command.text or ""
    return new if place is None else content[: place.start()] + new + content[place.end() :]


def _place(content: str, old: str | None) -> re.Match[str] | None:
    """Where the old words stand, whole."""
    if old is None:
        return None
    return re.search(rf"(?<!\w){re.escape(old)}(?!\w)", content, re.IGNORECASE)


async def pin(command: Command, turn: TurnContext) -> str:
    return await _pin(command, turn, pinned=True)


async def unpin(command: Command, turn: TurnContext) -> str:
    return await _pin(command, turn, pinned=False)


async def _pin(command: Command, turn: TurnContext, *, pinned: bool) -> str:
    items = await resolve_target(command, turn)
    if not items:
        return NOTHING_MEANT
    if len(items) > 1 and not command.everything:
        return say_which(items, "pin" if pinned else "unpin")
    entries = turn.memory.entries
    change = entries.pin if pinned else entries.unpin
    for item in items:
        await change(turn.user_id, item.id, turn.origin)
    turn.dialogue.mention([item.id for item in items])
    told = "Pinned, so it is never trimmed" if pinned else "No longer pinned"
    return f"{told}: {format_memories(items)}"


def requested_item(content: str, turn: TurnContext) -> NewMemory:
    """The words as a memory that the user wants, of this message."""
    return NewMemory(
        content=content,
        space=turn.space,
        manually_saved=True,
        source_message_id=turn.message_id,
    )


def _said_of(outcome: SaveOutcome) -> str:
    content = outcome.item.content
    match outcome.kind:
        case "kept":
            return f"I will remember: “{content}”"
        case "repeated":
            return f"I know that already: “{content}”"
        case "replaced":
            return (
                f"I will remember: “{content}” "
                f"It takes the place of {format_memories(outcome.older)}"
            )
        case "doubtful":
            return (
                f"I will remember: “{content}” "
                f"You told me before: {format_memories(outcome.older)} "
                f"Does the new one replace it? {HOW_TO_SAY}"
            )


def say_which(items: Sequence[StoredMemory], verb: str) -> str:
    return f"Which one shall I {verb}? Say its words: {format_memories(items)}"
