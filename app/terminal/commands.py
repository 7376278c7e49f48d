"""What can be typed instead of a message."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from app.terminal.memories import day, listing
from app.terminal.plain import cut, one_line, safe
from app.terminal.turns import Turns
from memory.errors import InvalidInput
from memory.models import Conversation, Message

COMMANDS = {
    "/help": "what can be typed here",
    "/new": "start a new conversation; memory carries over",
    "/history": "this conversation; /history all: all of yours",
    "/memories": "what is remembered of you, the newest first",
    "/quit": "leave (so does Ctrl-D)",
}
KEYS = "Ctrl-C stops an answer, twice leaves. Alt-Enter makes a new line, Ctrl-R searches."
LISTED = 50
_COMMAND = re.compile(r"/[A-Za-z]+(?=\s|$)")


def command_in(line: str) -> str | None:
    """The command that a line is, known or not; None for a message, “/usr/bin is …” included."""
    match = _COMMAND.match(line.strip())
    return match[0].lower() if match else None


def unknown(command: str) -> str:
    """One line with the command that was probably meant."""
    [nearest] = difflib.get_close_matches(command, COMMANDS, n=1, cutoff=0.0)
    return f"There is no {command}. Did you mean {nearest}? /help lists them all."


def help_lines() -> list[str]:
    return [f"{name:<10} {meaning}" for name, meaning in COMMANDS.items()] + [KEYS]


def history_lines(messages: Sequence[Message]) -> list[str]:
    if not messages:
        return ["Nothing was said in this conversation yet."]
    names = {"user": "you", "assistant": "keepsake", "system": "system"}
    return [f"{names[each.role]}: {safe(each.content)}{_status(each)}" for each in messages]


def conversation_lines(found: Sequence[Conversation], width: int | None = None) -> list[str]:
    if not found:
        return ["There is no conversation yet."]
    return [
        cut(f"{day(each.updated_at)}  {one_line(each.title or '(no title)')}", width)
        for each in found
    ]


async def run_command(command: str, line: str, turns: Turns, width: int | None) -> list[str]:
    """The lines a command answers with; `/quit` is its caller's. Raises InvalidInput for
    one that does not exist, and DatabaseUnavailable."""
    memory, user_id = turns.keepsake.memory, turns.user_id
    match command, line.split()[1:]:
        case "/help", _:
            return help_lines()
        case "/new", _:
            turns.start_over()
            return ["A new conversation. What is remembered stays."]
        case "/history", ["all"]:
            found = await memory.conversations.list_conversations(user_id, LISTED)
            return conversation_lines(found, width)
        case "/history", _:
            said = await memory.conversations.read_recent(user_id, turns.conversation_id, LISTED)
            return history_lines(said)
        case "/memories", _:
            return listing(await memory.list_recent(user_id, LISTED), width)
        case _:
            raise InvalidInput(reason=unknown(command))


def _status(message: Message) -> str:
    return "" if message.status == "complete" else f" ({message.status})"
