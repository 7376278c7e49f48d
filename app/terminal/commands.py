"""What a terminal does by itself of what is typed with a slash: files, spaces, conversations."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from pathlib import Path

from agent.commands.slash import SlashCommand, help_lines, parse_switch
from agent.turn.notices import NOT_DONE
from app.console import progress_bar, sanitize, truncate
from app.terminal.explanation import explanation_lines
from app.terminal.session import TerminalSession
from memory.errors import InvalidInput
from memory.types import Origin

KEY_HELP = "Ctrl-C stops an answer, twice leaves. Alt-Enter makes a new line, Ctrl-R searches."


async def run_slash_command(
    typed: SlashCommand, turns: TerminalSession, width: int | None
) -> list[str]:
    """The lines a command answers with; `/quit` is its caller's. An open question is taken back by
    any, and that is said. Raises InvalidInput for one that does not exist, and
    DatabaseUnavailable."""
    unanswered = turns.take_question()
    lines = await _run(typed, turns, width)
    return [NOT_DONE, *lines] if unanswered else lines


async def _run(typed: SlashCommand, turns: TerminalSession, width: int | None) -> list[str]:
    handler = _HANDLERS.get(typed.name)
    if handler is not None:
        return await handler(typed.words, turns)
    obeyed = await turns.obey(typed)
    if typed.name == "/private":
        turns.inherits_privacy = parse_switch(typed.name, typed.words)
    if obeyed.explained is not None:
        return [sanitize(each) for each in explanation_lines(obeyed.explained, width)]
    lines = [sanitize(each) for each in obeyed.text.split("\n")]
    is_list = typed.name == "/memories" or (typed.name, typed.words) == ("/history", "all")
    return [truncate(each, width) for each in lines] if is_list else lines


async def export_file(name: str, turns: TerminalSession) -> list[str]:
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


async def import_file(name: str, turns: TerminalSession) -> list[str]:
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


async def _help(_words: str, _turns: TerminalSession) -> list[str]:
    return [*help_lines(), KEY_HELP]


async def _new(_words: str, turns: TerminalSession) -> list[str]:
    return [await turns.start_over()]


async def _space(words: str, turns: TerminalSession) -> list[str]:
    return [await turns.enter_space(words)]


_HANDLERS: Mapping[str, Callable[[str, TerminalSession], Awaitable[list[str]]]] = {
    "/help": _help,
    "/new": _new,
    "/space": _space,
    "/export": export_file,
    "/import": import_file,
}
