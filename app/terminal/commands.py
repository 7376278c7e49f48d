"""What can be typed instead of a message."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from app.terminal.files import export_to, import_from
from app.terminal.looking import memories, prove
from app.terminal.memories import day
from app.terminal.plain import cut, one_line, safe
from app.terminal.slash import as_command
from app.terminal.switches import notices, private, redact
from app.terminal.turns import Turns
from app.terminal.why import why_lines
from memory.errors import InvalidInput
from memory.models import Conversation, Message

COMMANDS = {
    "/help": "what can be typed here",
    "/new": "start a new conversation; memory carries over",
    "/history": "this conversation; /history all: all of yours",
    "/memories": "what is remembered, the newest first; /memories BANK, TYPE, pinned or WORDS",
    "/summary": "what is remembered, by bank",
    "/about": "/about WORDS: what is remembered about something",
    "/remember": "/remember WORDS: keep them",
    "/edit": "/edit WORDS: put them in the place of the memory just spoken of; /edit #1 WORDS",
    "/pin": "/pin WORDS: never trim that memory; /unpin WORDS",
    "/unpin": "see /pin",
    "/forget": "/forget WORDS: forget what is shown; “… for good” erases it at once",
    "/undo": "bring back what was forgotten last, within a day",
    "/why": "what the last answer rests on, and what was left out; /why WORDS or #1",
    "/doubts": "which of two memories holds, where that is open",
    "/prove": "show that what was forgotten last is gone; /prove ID",
    "/audit": "what was done with your memory, by whom",
    "/memory": "/memory on, off or read-only, in this space",
    "/incognito": "/incognito, /incognito read-only, /incognito off",
    "/private": "/private on: new conversations begin incognito; /private off",
    "/redact": "/redact off: store messages with their secrets; on by default",
    "/notices": "/notices all, changes or none: how much is told of what is noted",
    "/space": "/space NAME: other memories, of another project",
    "/export": "/export FILE: everything as JSON",
    "/import": "/import FILE: an export, or another assistant's memories as lines",
    "/erase": "erase everything of you",
    "/quit": "leave (so does Ctrl-D)",
}
KEYS = "Ctrl-C stops an answer, twice leaves. Alt-Enter makes a new line, Ctrl-R searches."
LISTED = 50
_OTHER_NAMES = {"/exit": "/quit", "/bye": "/quit"}
_COMMAND = re.compile(r"/[A-Za-z]+(?=\s|$)")


def command_in(line: str) -> str | None:
    """The command that a line is, known or not; None for a message, “/usr/bin is …” included."""
    match = _COMMAND.match(line.strip())
    return match[0].lower() if match else None


def unknown(command: str) -> str:
    """One line with the command that was probably meant."""
    [nearest] = difflib.get_close_matches(command, COMMANDS, n=1, cutoff=0.0)
    meant = _OTHER_NAMES.get(command, nearest)
    return f"There is no {command}. Did you mean {meant}? /help lists them all."


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
    words = line.strip()[len(command) :].strip()
    wanted = as_command(command, words)
    if wanted is not None:
        obeyed = await turns.obey(wanted)
        if obeyed.explained is not None:
            return [safe(each) for each in why_lines(obeyed.explained, width)]
        return [safe(each) for each in obeyed.text.split("\n")]
    handler = _HANDLERS.get(command)
    if handler is None:
        raise InvalidInput(reason=unknown(command))
    return await handler(words, turns, width)


async def _help(_words: str, _turns: Turns, _width: int | None) -> list[str]:
    return help_lines()


async def _new(_words: str, turns: Turns, _width: int | None) -> list[str]:
    return [await turns.start_over()]


async def _doubts(_words: str, turns: Turns, _width: int | None) -> list[str]:
    return [safe(await turns.ask_doubt())]


async def _space(words: str, turns: Turns, _width: int | None) -> list[str]:
    return [await turns.enter_space(words)]


async def _history(words: str, turns: Turns, width: int | None) -> list[str]:
    conversations = turns.conversations
    if words == "all":
        found = await conversations.list_conversations(turns.user_id, LISTED)
        return conversation_lines(found, width)
    said = await conversations.read_recent(turns.user_id, turns.conversation_id, LISTED)
    return history_lines(said)


def _status(message: Message) -> str:
    return "" if message.status == "complete" else f" ({message.status})"


_HANDLERS: Mapping[str, Callable[[str, Turns, int | None], Awaitable[list[str]]]] = {
    "/help": _help,
    "/new": _new,
    "/history": _history,
    "/memories": memories,
    "/space": _space,
    "/export": export_to,
    "/import": import_from,
    "/prove": prove,
    "/doubts": _doubts,
    "/private": private,
    "/redact": redact,
    "/notices": notices,
}
