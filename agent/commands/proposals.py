"""What a model passes on for the user: what only looks is done, and all else becomes a question.

A model reads memories, imports and what tools answer, so that its call of a tool may be somebody
else's order. Nothing is changed by it before the user has said yes to the very words of the
question, which Keepsake shows itself, after the reply.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import structlog

from agent.commands.corrections import edit
from agent.commands.dispatch import dispatch_command
from agent.commands.display import NOTHING_MEANT, ask_which, format_memories, resolve_target
from agent.commands.forgetting import SAID_IS_GONE, forget
from agent.commands.memories import refuse_incognito, refuse_secrets, requested_item
from agent.commands.parser import Command
from agent.conversations.state import CommandQuestion
from agent.turn.context import TurnContext
from memory.errors import KeepsakeError, MessageRefused
from memory.types import StoredMemory

ASKED = (
    "Nothing has been done. After your reply Keepsake itself asks the user whether to do this, and "
    "does it only if they say yes. Do not ask it yourself, and do not say that it is done."
)
ONE_QUESTION = (
    "Not done, and not asked about: one question a turn, and the user is asked something else "
    "already. Tell them to say it again afterwards."
)
_YES_OR_NO = "Say yes or no."
_LOOKING = frozenset({"list", "about", "why", "audit"})
# What is asked of the commands that concern no memory.
_QUESTIONS: Mapping[str, str] = {
    "memory_off": "Shall I turn memory off in this space?",
    "memory_read_only": "Shall I make memory read-only in this space, so that nothing new is kept?",
    "incognito_on": "Shall I make this conversation incognito, without memory?",
    "incognito_read_only": "Shall I make this conversation incognito, with memory only read?",
    "do_not_remember": "Shall I keep nothing of your last message?",
}
_log = structlog.get_logger(__name__)


async def propose(command: Command, turn: TurnContext) -> str:
    """What the model is told of it."""
    turn.is_talk = False
    if command.name in _LOOKING:
        return await dispatch_command(command, turn)
    async with turn.proposing:  # tools are called side by side
        return ONE_QUESTION if turn.question is not None else await _ask(command, turn)


async def _ask(command: Command, turn: TurnContext) -> str:
    ask = _ASK.get(command.name, _ask_plainly)
    try:
        said = await ask(replace(command, proposed=True), turn)
    except KeepsakeError as error:
        _log.warning("not_proposed", command=command.name, reason=type(error).__name__)
        return str(error)
    turn.asked_by_model = turn.question is not None
    return ASKED if turn.asked_by_model else said


async def _ask_plainly(command: Command, turn: TurnContext) -> str:
    question = f"{_QUESTIONS[command.name]} {_YES_OR_NO}"
    return turn.ask(CommandQuestion(command, text=question))


async def _ask_to_remember(command: Command, turn: TurnContext) -> str:
    """Raises SecretRefused, and MessageRefused in a turn of which nothing is to be kept."""
    if turn.off_the_record:
        raise MessageRefused(reason="the user asked that nothing of it be kept")
    refuse_incognito(turn)
    content = command.text or ""
    refuse_secrets(content)
    question = f"Shall I remember: “{content}”? {_YES_OR_NO}"
    item = requested_item(content, turn)
    return turn.ask(CommandQuestion(command, item=item, text=question))


async def _ask_to_pin(command: Command, turn: TurnContext) -> str:
    """What is meant is settled now, not when the answer comes."""
    refuse_incognito(turn)
    items = await resolve_target(command, turn)
    if not items:
        return NOTHING_MEANT
    if len(items) > 1:
        return ask_which(command, items, command.name, turn)
    return _ask_about(command, items, turn, f"Shall I {command.name}: “{items[0].content}”?")


async def _ask_to_undo(command: Command, turn: TurnContext) -> str:
    """What went last in this conversation, else what was forgotten or corrected last in any. What
    was forgotten is named by nobody."""
    refuse_incognito(turn)
    dialogue = turn.dialogue
    if dialogue.unsaid and not dialogue.replaced:
        return SAID_IS_GONE
    if not dialogue.replaced:
        question = f"Shall I take back what was forgotten or corrected last? {_YES_OR_NO}"
        return turn.ask(CommandQuestion(command, dialogue.forgotten, text=question))
    items = [await turn.memory.entries.read(turn.user_id, each) for each in dialogue.replaced]
    return _ask_about(command, items, turn, f"Shall I bring back: {format_memories(items)}")


def _ask_about(
    command: Command, items: list[StoredMemory], turn: TurnContext, question: str
) -> str:
    ids = tuple(each.id for each in items)
    return turn.ask(CommandQuestion(command, ids, text=f"{question}\n\n{_YES_OR_NO}"))


_ASK: Mapping[str, Callable[[Command, TurnContext], Awaitable[str]]] = {
    "remember": _ask_to_remember,
    "edit": edit,
    "pin": _ask_to_pin,
    "unpin": _ask_to_pin,
    "forget": forget,
    "undo": _ask_to_undo,
}
