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
from memory.actions.correction import Correction, Rewording, find_words
from memory.errors import ChangedMeanwhile, RecentlyForgotten
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
    """What a message surely corrects, as the command to do so; what else it tells is beside it.
    What its user keeps by hand is asked about, but where that is commanded."""
    command = heard.commands[0] if heard.commands else None
    if command is not None and not _may_be_read(command, heard):
        return None
    found = await memory.entries.corrections.corrected(
        user_id, dialogue.space, heard.redacted, dialogue.mentioned
    )
    if found is None:
        return None
    span = (command.start, command.end) if command else _corrected_at(heard, found.new)
    if span is None:
        return None
    is_commanded = any(each.kind == "control" for each in heard.reading.segments)
    return Command(
        "edit",
        item=found.item.id,
        before=found.item.content,
        text=found.content,
        proposed=not is_commanded and (found.item.pinned or found.item.manually_saved),
        said=heard.redacted,
        start=span[0],
        end=span[1],
    )


def _may_be_read(command: Command, heard: ReceivedMessage) -> bool:
    """Whether it leaves open which memory it is of, and is of one."""
    numbered = MEMORY_NUMBER.fullmatch(command.about or "") is not None
    return not numbered and (heard.tells(command) or not _correction(command).has_text)


def _corrected_at(heard: ReceivedMessage, new: str) -> tuple[int, int] | None:
    """Where the message does so; None where it asks whether it is so, shows what another said, or
    tells something in between."""
    segments = heard.reading.segments
    least = max(each.correcting for each in segments) / 2
    holding = [at for at, each in enumerate(segments) if find_words(each.text, new)]
    places = {*holding, *(at for at, each in enumerate(segments) if each.correcting >= least)}
    run = segments[min(places) : max(places) + 1]
    shows = any(
        each.kind == "quotation" or (each.is_for_a_text and not heard.commands) for each in run
    )
    if shows or any(segments[at].asks for at in holding) or len(places) < len(run):
        return None
    return run[0].start, run[-1].end


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
    if command.before not in {None, item.content}:
        raise ChangedMeanwhile
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
