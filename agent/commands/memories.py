"""Keeping and pinning by command, and what is kept only if the user says so again."""

from __future__ import annotations

from agent.commands.display import NOTHING_MEANT, ask_which, format_memories, resolve_target
from agent.commands.parser import Command
from agent.conversations.state import ReplacementQuestion
from agent.turn.background import HOW_TO_SAY
from agent.turn.context import TurnContext
from agent.turn.notices import NOT_KEPT
from memory.errors import Incognito, MessageRefused, RecentlyForgotten, SecretRefused
from memory.secrets import SECRET_KINDS, redact
from memory.types import MAX_MEMORY_CHARS, NewMemory, SaveOutcome

NOTHING_SAID = (
    "Nothing was told before that I could keep. Tell me what to remember: “remember that …”."
)
ASKED_LATER = "Type /doubts to say which of them holds."


async def remember(command: Command, turn: TurnContext) -> str:
    """Keeps the words, or for “remember that” what was told before."""
    content = command.text or turn.dialogue.last_words
    if content is None:
        return NOTHING_SAID
    refuse_secrets(content)
    return await keep_item(requested_item(content, turn), turn)


def refuse_secrets(content: str) -> None:
    """Raises SecretRefused where a secret stands, or stood."""
    content = redact(content)
    for kind in SECRET_KINDS:
        if f"[{kind} removed]" in content:
            raise SecretRefused(kind=kind)


def refuse_incognito(turn: TurnContext) -> None:
    """Raises Incognito before anything is asked that could not be done."""
    if turn.dialogue.privacy not in {None, "normal"}:
        raise Incognito


async def remember_anyway(_command: Command, turn: TurnContext) -> str:
    """Keeps what was refused because it had been forgotten or may be a secret, or left out because
    it was asked to be."""
    refused, turn.dialogue.refused = turn.dialogue.refused, None
    if refused is None:
        return NOTHING_SAID
    return await keep_item(refused.model_copy(update={"despite_forgotten": True}), turn)


def leave_out_asked(turn: TurnContext) -> str:
    """The message before, of which nothing was learned while that was asked about."""
    _withhold(turn.dialogue.last_words or "", turn)
    return NOT_KEPT


def hold_back(words: str | None, turn: TurnContext) -> None:
    """What may be no secret is kept as it was said if the user says so in the next message."""
    refused = turn.dialogue.refused
    if words is not None and len(words) <= MAX_MEMORY_CHARS:
        turn.dialogue.refused = requested_item(words, turn, is_no_secret=True)
    elif refused is not None and refused.is_no_secret:
        turn.dialogue.refused = None


def withhold_message(turn: TurnContext) -> None:
    """The words of the turn, or those of them that are to be left out, are kept only if the user
    says so: “remember it anyway”."""
    _withhold(redact(" ".join(turn.unkept) or turn.said), turn)


def _withhold(words: str, turn: TurnContext) -> None:
    kept = 0 < len(words) <= MAX_MEMORY_CHARS
    turn.dialogue.refused = requested_item(words, turn) if kept else None


async def keep_item(new: NewMemory, turn: TurnContext) -> str:
    """Keeps what the user asked to keep. Raises what `Memory.remember` raises, and MessageRefused
    for what is to be left out of memory."""
    if turn.leaves_out(new.content):
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
    if outcome.kind != "doubtful":
        return said
    if turn.question is not None:
        return f"{said} {ASKED_LATER}"
    question = f"{said} Does the new one replace it? {HOW_TO_SAY}"
    return turn.ask(ReplacementQuestion(outcome.doubt_ids[0], text=question))


async def pin(command: Command, turn: TurnContext) -> str:
    return await _pin(command, turn, pinned=True)


async def unpin(command: Command, turn: TurnContext) -> str:
    return await _pin(command, turn, pinned=False)


async def _pin(command: Command, turn: TurnContext, *, pinned: bool) -> str:
    refuse_incognito(turn)
    items = await resolve_target(command, turn)
    if not items:
        return NOTHING_MEANT
    if len(items) > 1 and not command.everything:
        return ask_which(command, items, "pin" if pinned else "unpin", turn)
    entries = turn.memory.entries
    change = entries.pin if pinned else entries.unpin
    for item in items:
        await change(turn.user_id, item.id, turn.origin)
    turn.dialogue.mention([item.id for item in items])
    told = "Pinned, so it is never trimmed" if pinned else "No longer pinned"
    return f"{told}: {format_memories(items)}"


def requested_item(content: str, turn: TurnContext, *, is_no_secret: bool = False) -> NewMemory:
    """The words as a memory that the user wants, of this message."""
    return NewMemory(
        content=content,
        space=turn.space,
        manually_saved=True,
        source_message_id=turn.message_id,
        created_at=turn.now,
        is_no_secret=is_no_secret,
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
                f"I will remember: “{content}” You told me before: {format_memories(outcome.older)}"
            )
