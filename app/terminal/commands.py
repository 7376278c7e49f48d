"""What can be typed with a slash instead of a message."""

from __future__ import annotations

import asyncio
import difflib
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path

from agent.commands.parser import Command
from app.console import one_line, progress_bar, sanitize, truncate
from app.terminal.answer import local_day, memory_lines
from app.terminal.explanation import explanation_lines
from app.terminal.session import TerminalSession
from memory.actions.presentation import proof_text
from memory.errors import InvalidInput
from memory.store.memories import MemoryFilter
from memory.types import MEMORY_TYPES, Origin, StoredConversation, StoredMessage
from memory.understanding import CommandName

FOR_GOOD = "for good"
_NUMBER = re.compile(r"#\d{1,3}")
_MEMORY: Mapping[str, CommandName] = {
    "on": "memory_on",
    "off": "memory_off",
    "read-only": "memory_read_only",
}
_INCOGNITO: Mapping[str, CommandName] = {
    "": "incognito_on",
    "on": "incognito_on",
    "read-only": "incognito_read_only",
    "off": "incognito_off",
}


def parse_slash_command(name: str, words: str) -> Command | None:
    """The command of a slash and the words after it; None where it is none of these. Raises
    InvalidInput where its words are missing or not known."""
    make = _COMMANDS.get(name)
    return None if make is None else make(name, words.strip())


def _without_words(command: CommandName) -> Callable[[str, str], Command]:
    return lambda _name, _words: Command(command)


def _with_topic(command: CommandName) -> Callable[[str, str], Command]:
    """Without words it means what the last turn was about."""
    return lambda _name, words: Command(command, about=words or None)


def _requiring_topic(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, about=_required(name, words))


def _requiring_text(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, text=_required(name, words))


def _forget(_name: str, words: str) -> Command:
    for_good = words.casefold().endswith(FOR_GOOD)
    words = words[: -len(FOR_GOOD)].strip() if for_good else words
    if words.casefold() == "me":
        return Command("erase_me")
    if words.casefold() in {"everything", "all"}:
        return Command("forget", for_good=for_good, everything=True)
    return Command("forget", about=words or None, for_good=for_good)


def _edit(name: str, words: str) -> Command:
    """“/edit #2 WORDS” names the memory by its number."""
    number, _, rest = _required(name, words).partition(" ")
    if _NUMBER.fullmatch(number):
        return Command("edit", about=number, text=_required(f"{name} {number}", rest.strip()))
    return Command("edit", text=words)


def _one_of(names: Mapping[str, CommandName]) -> Callable[[str, str], Command]:
    def choose(name: str, words: str) -> Command:
        command = names.get(words.casefold())
        if command is None:
            known = ", ".join(f"{name} {each}".strip() for each in names)
            raise InvalidInput(reason=f"Say which: {known}.")
        return Command(command)

    return choose


def _required(name: str, words: str) -> str:
    if not words:
        raise InvalidInput(reason=f"Say what: {name} WORDS. /help lists all commands.")
    return words


_COMMANDS: Mapping[str, Callable[[str, str], Command]] = {
    "/remember": _requiring_text("remember"),
    "/summary": _without_words("list"),
    "/about": _requiring_topic("about"),
    "/edit": _edit,
    "/pin": _with_topic("pin"),
    "/unpin": _with_topic("unpin"),
    "/forget": _forget,
    "/undo": _without_words("undo"),
    "/why": _with_topic("why"),
    "/audit": _without_words("audit"),
    "/memory": _one_of(_MEMORY),
    "/incognito": _one_of(_INCOGNITO),
    "/erase": _without_words("erase_me"),
}


LISTED = 50
_ID = re.compile(r"[0-9a-f-]{0,36}", re.IGNORECASE)


async def list_memories(words: str, turns: TerminalSession, width: int | None) -> list[str]:
    """The newest memories; of a bank, of a type, the pinned ones, or those that hold words."""
    wanted = filter_from(words, turns.space, turns.keepsake.settings.memory_banks)
    page = await turns.memory.entries.browse(turns.user_id, wanted)
    lines = memory_lines(page.items, width, one_line(words))
    return [*lines, "and more: /memories WORDS finds them"] if page.next else lines


def filter_from(words: str, space: str, banks: tuple[str, ...]) -> MemoryFilter:
    """Pure: “pinned”, the name of a type or of a bank, else words to look for."""
    wanted = MemoryFilter(space=space, limit=LISTED)
    name = words.casefold()
    if not name:
        return wanted
    if name == "pinned":
        return wanted.model_copy(update={"pinned": True})
    for item_type in MEMORY_TYPES:
        if name in {item_type, f"{item_type}s"}:
            return wanted.model_copy(update={"type": item_type})
    for bank in banks:
        if name == bank.casefold():
            return wanted.model_copy(update={"bank": bank})
    return wanted.model_copy(update={"text": words})


async def prove_forgotten(words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    """What was removed of a forgotten memory, the last one where no id is given, and that a search
    finds it no more."""
    beginning, _, rest = words.partition(" ")
    if not _ID.fullmatch(beginning):
        raise InvalidInput(reason="Say which: /prove ID. /audit shows how the ids begin.")
    forgetting = turns.memory.forgetting
    item_id = await forgetting.named(turns.user_id, beginning)
    proof = await forgetting.prove(turns.user_id, item_id, rest or None)
    return proof_text(proof).split("\n")


async def export_file(name: str, turns: TerminalSession, _width: int | None) -> list[str]:
    """Everything of the user as JSON, in a new file for its owner alone."""
    path = _path(name, "/export")
    with _file_errors(path, "written"):
        file = os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        try:
            with file:
                async with aclosing(turns.memory.portability.export(turns.user_id)) as pieces:
                    async for piece in pieces:
                        await asyncio.to_thread(file.write, piece.encode())
        except BaseException:
            path.unlink()  # a part of an export would be taken for the whole
            raise
    return [f"Everything is in {path}. Whoever may read that file reads your memories."]


async def import_file(name: str, turns: TerminalSession, _width: int | None) -> list[str]:
    """An export, or another assistant's memories as lines. Secrets, duplicates and what was
    forgotten a short time ago stay out."""
    path = _path(name, "/import")
    portability = turns.memory.portability
    with _file_errors(path, "read"), path.open("rb") as file, progress_bar("Importing") as progress:
        found = await asyncio.to_thread(portability.read_import, file, turns.space)
        imported = await portability.import_(turns.user_id, found, Origin("import"), progress)
    return imported.as_text().split("\n")


def _path(name: str, command: str) -> Path:
    if not name:
        raise InvalidInput(reason=f"Say which file: {command} FILE.")
    return Path(name).expanduser()


@contextmanager
def _file_errors(path: Path, done: str) -> Iterator[None]:
    """What keeps a file from being read or written, as a sentence."""
    try:
        yield
    except FileExistsError:
        raise InvalidInput(reason=f"{path} exists already; name a new file.") from None
    except OSError as error:
        raise InvalidInput(reason=f"{path} cannot be {done} ({error.strerror}).") from None


_SWITCH_VALUES = {"on": True, "off": False}


async def set_redaction(words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    """Whether secrets are taken out of messages before they are stored; on by default."""
    wanted = _parse_switch("/redact", words)
    await turns.keepsake.memory.modes.change(
        turns.user_id, turns.space, Origin("user"), redact_messages=wanted
    )
    if wanted:
        return ["Secrets are taken out of messages before they are stored."]
    return ["Messages are stored as you write them. Secrets still never become memories."]


async def set_private(words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    """Whether new conversations begin incognito."""
    wanted = _parse_switch("/private", words)
    await turns.keepsake.memory.modes.change(
        turns.user_id, turns.space, Origin("user"), incognito_default=wanted
    )
    turns.inherits_privacy = wanted
    begins = "incognito" if wanted else "as usual"
    return [f"New conversations in the space “{turns.space}” begin {begins}. /new begins one."]


def _parse_switch(command: str, words: str) -> bool:
    wanted = _SWITCH_VALUES.get(words.casefold())
    if wanted is None:
        raise InvalidInput(reason=f"Say which: {command} on, or {command} off.")
    return wanted


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
    "/space": "/space NAME: other memories, of another project",
    "/export": "/export FILE: everything as JSON",
    "/import": "/import FILE: an export, or another assistant's memories as lines",
    "/erase": "erase everything of you",
    "/quit": "leave (so does Ctrl-D)",
}
KEY_HELP = "Ctrl-C stops an answer, twice leaves. Alt-Enter makes a new line, Ctrl-R searches."
_OTHER_NAMES = {"/exit": "/quit", "/bye": "/quit"}
_COMMAND = re.compile(r"/[A-Za-z]+(?=\s|$)")


def find_command(line: str) -> str | None:
    """The command that a line is, known or not; None for a message, “/usr/bin is …” included."""
    match = _COMMAND.match(line.strip())
    return match[0].lower() if match else None


def unknown_command_text(command: str) -> str:
    """One line with the command that was probably meant."""
    [nearest] = difflib.get_close_matches(command, COMMANDS, n=1, cutoff=0.0)
    meant = _OTHER_NAMES.get(command, nearest)
    return f"There is no {command}. Did you mean {meant}? /help lists them all."


def help_lines() -> list[str]:
    return [f"{name:<10} {meaning}" for name, meaning in COMMANDS.items()] + [KEY_HELP]


def history_lines(messages: Sequence[StoredMessage]) -> list[str]:
    if not messages:
        return ["Nothing was said in this conversation yet."]
    names = {"user": "you", "assistant": "keepsake", "system": "system"}
    return [f"{names[each.role]}: {sanitize(each.content)}{_status(each)}" for each in messages]


def conversation_lines(found: Sequence[StoredConversation], width: int | None = None) -> list[str]:
    if not found:
        return ["There is no conversation yet."]
    return [
        truncate(f"{local_day(each.updated_at)}  {one_line(each.title or '(no title)')}", width)
        for each in found
    ]


async def run_slash_command(
    command: str, line: str, turns: TerminalSession, width: int | None
) -> list[str]:
    """The lines a command answers with; `/quit` is its caller's. Raises InvalidInput for
    one that does not exist, and DatabaseUnavailable."""
    words = line.strip()[len(command) :].strip()
    wanted = parse_slash_command(command, words)
    if wanted is not None:
        obeyed = await turns.obey(wanted)
        if obeyed.explained is not None:
            return [sanitize(each) for each in explanation_lines(obeyed.explained, width)]
        return [sanitize(each) for each in obeyed.text.split("\n")]
    handler = _HANDLERS.get(command)
    if handler is None:
        raise InvalidInput(reason=unknown_command_text(command))
    return await handler(words, turns, width)


async def _help(_words: str, _turns: TerminalSession, _width: int | None) -> list[str]:
    return help_lines()


async def _new(_words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    return [await turns.start_over()]


async def _doubts(_words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    return [sanitize(await turns.ask_doubt())]


async def _space(words: str, turns: TerminalSession, _width: int | None) -> list[str]:
    return [await turns.enter_space(words)]


async def _history(words: str, turns: TerminalSession, width: int | None) -> list[str]:
    conversations = turns.conversations
    if words == "all":
        found = await conversations.list_conversations(turns.user_id, LISTED)
        return conversation_lines(found, width)
    said = await conversations.read_recent(turns.user_id, turns.conversation_id, LISTED)
    return history_lines(said)


def _status(message: StoredMessage) -> str:
    return "" if message.status == "complete" else f" ({message.status})"


_HANDLERS: Mapping[str, Callable[[str, TerminalSession, int | None], Awaitable[list[str]]]] = {
    "/help": _help,
    "/new": _new,
    "/history": _history,
    "/memories": list_memories,
    "/space": _space,
    "/export": export_file,
    "/import": import_file,
    "/prove": prove_forgotten,
    "/doubts": _doubts,
    "/private": set_private,
    "/redact": set_redaction,
}
