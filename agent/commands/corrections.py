"""Correcting by command: what is meant is found, and asked about where more than what was named
would change."""

from __future__ import annotations

from uuid import UUID

from agent.commands.display import (
    ANSWER_FIRST,
    NOTHING_MEANT,
    ask_which,
    format_memories,
    memory_by_number,
)
from agent.commands.memories import refuse_incognito, refuse_secrets, requested_item
from agent.commands.parser import MEMORY_NUMBER, Command, ReceivedMessage
from agent.conversations.state import ConversationState, EditQuestion
from agent.turn.context import TurnContext
from memory.actions.correction import Correction, Rewording
from memory.errors import RecentlyForgotten
from memory.service import MemoryService

NO_NEW_WORDS = "Tell me the new words: “change that to …”."
UNKNOWN = "I know nothing about “{named}”, so nothing was changed."


async def is_talk(
    command: Command,
    heard: ReceivedMessage,
    memory: MemoryService,
    user_id: str,
    dialogue: ConversationState,
) -> bool:
    """Whether what sounds like a correction is none that can be carried out: memory has nothing of
    what it names, and it brings the text that it is about, or tells something; or it tells by
    itself what is right, and names no new words."""
    if command.item is not None:
        return False
    wanted = _correction(command)
    if wanted.new is None and (wanted.about is None or heard.tells(command)):
        return heard.tells(command)
    found = await memory.entries.corrections.find(
        user_id, dialogue.space, wanted, dialogue.mentioned
    )
    return not found and (wanted.has_text or heard.tells(command))


async def find_correction(
    heard: ReceivedMessage, memory: MemoryService, user_id: str, dialogue: ConversationState
) -> Command | None:
    """What a message surely corrects, as the command to do so; what else it tells is beside it."""
    said = heard.redacted
    found = await memory.entries.corrections.corrected(
        user_id, dialogue.space, said, dialogue.mentioned
    )
    if found is None:
        return None
    segments = heard.reading.segments
    least = max(each.correcting for each in segments) / 2
    told = [each for each in segments if each.correcting >= least or found.new in each.text]
    return Command(
        "edit",
        item=found.item.id,
        text=found.content,
        said=said,
        start=told[0].start,
        end=told[-1].end,
    )


async def edit(command: Command, turn: TurnContext) -> str:
    """Puts new words in the place of those that are meant. Those that had been forgotten are
    refused, and can be kept anyway, as a memory of their own."""
    refuse_incognito(turn)
    wanted = _correction(command)
    if not wanted.new and not wanted.about:
        return NO_NEW_WORDS
    found = await _find(command, wanted, turn)
    if not found:
        return UNKNOWN.format(named=wanted.names) if wanted.names else NOTHING_MEANT
    if len(found) > 1:
        return ask_which(command, [each.item for each in found], "change", turn)
    return await _change_or_ask(command, found[0], turn)


def _correction(command: Command) -> Correction:
    return Correction(command.said, command.about, command.old, command.text or None)


async def _find(command: Command, wanted: Correction, turn: TurnContext) -> list[Rewording]:
    corrections = turn.memory.entries.corrections
    if command.item is not None:
        return await corrections.of(turn.user_id, command.item, wanted)
    if number := MEMORY_NUMBER.fullmatch(command.about or ""):
        items = await memory_by_number(int(number[1]), turn)
        return [Rewording(each, command.text, exact=True) for each in items]
    return await corrections.find(turn.user_id, turn.space, wanted, turn.dialogue.mentioned)


async def _change_or_ask(command: Command, found: Rewording, turn: TurnContext) -> str:
    item, content = found.item, found.content
    turn.dialogue.mention([item.id])
    if content is None:
        return NO_NEW_WORDS
    if content == item.content:
        return f"That is what it says: {format_memories([item])}"
    refuse_secrets(content)
    await turn.memory.entries.check_words(content)
    if found.exact and not command.proposed:
        return await _change(item.id, item.content, content, turn)
    if turn.question is not None:
        return ANSWER_FIRST.format(said=command.said or command.about)
    shown = f"Before: “{item.content}” Now: “{content}”\n\nShall I change it? Say yes or no."
    return turn.ask(EditQuestion(item.id, item.content, content, text=shown))


async def edit_confirmed(asked: EditQuestion, turn: TurnContext) -> str:
    """Changes what was shown."""
    return await _change(asked.item_id, asked.before, asked.after, turn)


async def _change(item_id: UUID, before: str, after: str, turn: TurnContext) -> str:
    """Raises what `Entries.reword` raises."""
    try:
        changed = await turn.memory.entries.reword(
            turn.user_id, item_id, before, after, turn.origin
        )
    except RecentlyForgotten:
        turn.dialogue.refused = requested_item(after, turn)
        raise
    turn.kept.append(changed)
    turn.changed[changed.id] = before
    turn.dialogue.forgotten = turn.dialogue.replaced = ()
    turn.dialogue.unsaid = False
    return f"Changed. Before: “{before}” Now: “{changed.content}”"
