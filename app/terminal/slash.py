"""What is typed with a slash, as the command it stands for in plain words. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from agent.commands.command import Command
from memory.errors import InvalidInput
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


def as_command(name: str, words: str) -> Command | None:
    """The command of a slash and the words after it; None where it is none of these. Raises
    InvalidInput where its words are missing or not known."""
    make = _COMMANDS.get(name)
    return None if make is None else make(name, words.strip())


def _plain(command: CommandName) -> Callable[[str, str], Command]:
    return lambda _name, _words: Command(command)


def _about(command: CommandName) -> Callable[[str, str], Command]:
    """Without words it means what the last turn was about."""
    return lambda _name, words: Command(command, about=words or None)


def _needing(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, about=_given(name, words))


def _text(command: CommandName) -> Callable[[str, str], Command]:
    return lambda name, words: Command(command, text=_given(name, words))


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
    number, _, rest = _given(name, words).partition(" ")
    if _NUMBER.fullmatch(number):
        return Command("edit", about=number, text=_given(f"{name} {number}", rest.strip()))
    return Command("edit", text=words)


def _one_of(names: Mapping[str, CommandName]) -> Callable[[str, str], Command]:
    def choose(name: str, words: str) -> Command:
        command = names.get(words.casefold())
        if command is None:
            known = ", ".join(f"{name} {each}".strip() for each in names)
            raise InvalidInput(reason=f"Say which: {known}.")
        return Command(command)

    return choose


def _given(name: str, words: str) -> str:
    if not words:
        raise InvalidInput(reason=f"Say what: {name} WORDS. /help lists all commands.")
    return words


_COMMANDS: Mapping[str, Callable[[str, str], Command]] = {
    "/remember": _text("remember"),
    "/summary": _plain("list"),
    "/about": _needing("about"),
    "/edit": _edit,
    "/pin": _about("pin"),
    "/unpin": _about("unpin"),
    "/forget": _forget,
    "/undo": _plain("undo"),
    "/why": _about("why"),
    "/audit": _plain("audit"),
    "/memory": _one_of(_MEMORY),
    "/incognito": _one_of(_INCOGNITO),
    "/erase": _plain("erase_me"),
}
