"""Keeping, correcting and pinning by command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent.commands.command import Command
from agent.commands.which import listed, meant, named
from agent.talks.dialogue import AskedWhichHolds
from agent.turn.context import TurnContext
from agent.wording.wording import Wording
from memory.controls.changes import Changes
from memory.errors import MessageRefused, RecentlyForgotten, SecretRefused
from memory.models import KeptItem, NewItem, Outcome
from memory.secrets import KINDS

_KEPT: Mapping[str, str] = {
    "kept": "will_remember",
    "repeated": "known_already",
    "replaced": "will_remember_instead",
    "doubtful": "will_remember_in_doubt",
}


async def remember(command: Command, turn: TurnContext) -> str:
    """Keeps the words, or for “remember that” what was said before."""
    content = command.text or turn.dialogue.last_words
    if content is None:
        return turn.say("say_what_to_remember")
    _refuse_removed(content)
    return await keep(asked_for(content, turn), turn)


def _refuse_removed(content: str) -> None:
    """Raises SecretRefused where a secret stood."""
    for kind in KINDS:
        if f"[{kind} removed]" in content:
            raise SecretRefused(kind=kind)


async def remember_anyway(_command: Command, turn: TurnContext) -> str:
    """Keeps what was refused because it had been forgotten, or left out because it was asked to
    be."""
    refused, turn.dialogue.refused = turn.dialogue.refused, None
    if refused is None:
        return turn.say("say_what_to_remember")
    return await keep(refused.model_copy(update={"despite_forgotten": True}), turn)


async def keep(new: NewItem, turn: TurnContext) -> str:
    """Keeps what the user asked to keep. Raises what `Memory.remember` raises, and MessageRefused
    in a turn of which nothing is to be kept."""
    if turn.off_the_record:
        raise MessageRefused(reason=turn.say("nothing_is_to_be_kept"))
    try:
        outcome = await turn.memory.remember(turn.user_id, new, turn.origin)
    except RecentlyForgotten:
        turn.dialogue.refused = new
        raise
    turn.kept.append(outcome.item)
    if outcome.kind == "replaced":
        turn.dialogue.replaced = tuple(item.id for item in outcome.older)
    if outcome.kind == "doubtful":
        turn.dialogue.question = AskedWhichHolds(outcome.doubt_ids[0])
    return _said_of(outcome, turn.wording)


async def edit(command: Command, turn: TurnContext) -> str:
    """Puts new words in the place of the memory that is meant, or of some words of it. Those that
    had been forgotten are refused, and can be kept anyway, as a memory of their own."""
    if not command.text:
        return turn.say("say_the_new_words")
    items = await (meant(command, turn) if command.old is None else _holding(command, turn))
    if not items:
        return turn.say("no_memory_is_meant")
    if len(items) > 1:
        return _say_which("which_to_change", items, turn)
    content = _reworded(items[0].content, command)
    _refuse_removed(content)
    try:
        changed = await turn.memory.entries.edit(
            turn.user_id, items[0].id, Changes(content=content), turn.origin
        )
    except RecentlyForgotten:
        turn.dialogue.refused = asked_for(content, turn)
        raise
    turn.kept.append(changed)
    return turn.say("changed", before=items[0].content, now=changed.content)


async def _holding(command: Command, turn: TurnContext) -> list[KeptItem]:
    """The memories that hold the old words: those that the command means, else all."""
    known = await turn.memory.entries.all(turn.user_id, turn.space)
    holding = [each for each in known if _place(each.content, command.old) is not None]
    spoken_of = {each.id for each in await named(command, turn)} | set(turn.dialogue.mentioned)
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
    """What is known, or what is told with the command, which is kept first."""
    if command.text is None:
        return await _pin(command, turn, pinned=True)
    _refuse_removed(command.text)
    said = await keep(asked_for(command.text, turn), turn)
    kept = turn.kept[-1]
    await turn.memory.entries.pin(turn.user_id, kept.id, turn.origin)
    turn.dialogue.mention([kept.id])
    return f"{said}\n\n{turn.say('pinned', memories=listed([kept], turn.wording))}"


async def unpin(command: Command, turn: TurnContext) -> str:
    return await _pin(command, turn, pinned=False)


async def _pin(command: Command, turn: TurnContext, *, pinned: bool) -> str:
    items = await meant(command, turn)
    if not items:
        return turn.say("no_memory_is_meant")
    if len(items) > 1 and not command.everything:
        return _say_which("which_to_pin" if pinned else "which_to_unpin", items, turn)
    entries = turn.memory.entries
    change = entries.pin if pinned else entries.unpin
    for item in items:
        await change(turn.user_id, item.id, turn.origin)
    turn.dialogue.mention([item.id for item in items])
    name = "pinned" if pinned else "unpinned"
    return turn.say(name, memories=listed(items, turn.wording))


def asked_for(content: str, turn: TurnContext) -> NewItem:
    """The words as a memory that the user wants, of this message."""
    return NewItem(
        content=content,
        space=turn.space,
        manually_saved=True,
        source_message_id=turn.message_id,
    )


def _said_of(outcome: Outcome, wording: Wording) -> str:
    older = listed(outcome.older, wording)
    return wording.say(_KEPT[outcome.kind], content=outcome.item.content, older=older)


def _say_which(name: str, items: Sequence[KeptItem], turn: TurnContext) -> str:
    return turn.say(name, memories=listed(items, turn.wording))
