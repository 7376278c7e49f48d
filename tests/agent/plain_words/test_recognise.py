"""Commands in plain words: what is one, with which object, and what is none.

The utterances are in the text files beside this one: a command's name and what was said in
`without_object.txt` and `by_name.txt`, ordinary talk in `traps.txt`.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast, get_args

import pytest

from agent.plain_words import Command, CommandName, recognise
from tests.agent.plain_words import commands_said as said_for

HERE = Path(__file__).parent


def utterances(name: str) -> list[tuple[str, CommandName]]:
    pairs = [line.split(" | ", 1) for line in lines_of(name)]
    return [(said, cast(CommandName, command)) for command, said in pairs]


def lines_of(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


# A wish to forget is heard by its reading.
BY_WORDS = [name for name in get_args(CommandName) if name != "forget"]


@pytest.mark.parametrize("name", BY_WORDS)
def test_a_command_without_an_object(name: CommandName) -> None:
    said = [each for each, command in utterances("without_object.txt") if command == name]
    back = name == "do_not_remember"
    assert [each for each in said if recognise(each) != Command(name, points_back=back)] == []


@pytest.mark.parametrize("name", BY_WORDS)
def test_which_command_it_is(name: CommandName) -> None:
    said = [each for each, command in utterances("by_name.txt") if command == name]
    found = {each: recognise(each) for each in said}
    assert {each: it for each, it in found.items() if it is None or it.name != name} == {}


@pytest.mark.parametrize(("said", "name"), said_for.EVERYTHING)
def test_a_command_for_everything(said: str, name: CommandName) -> None:
    assert recognise(said) == Command(name, everything=True)


@pytest.mark.parametrize("said", said_for.FOR_GOOD)
def test_for_good(said: str) -> None:
    command = recognise(said)
    assert command is not None
    assert command.name == "erase_me"
    assert command.for_good


@pytest.mark.parametrize(("said", "name", "about"), said_for.ABOUT)
def test_what_a_command_is_about(said: str, name: CommandName, about: str) -> None:
    assert recognise(said) == Command(name, about=about)


@pytest.mark.parametrize(("said", "about", "text"), said_for.EDITS)
def test_a_new_wording(said: str, about: str | None, text: str) -> None:
    assert recognise(said) == Command("edit", about=about, text=text)


@pytest.mark.parametrize(("said", "text"), said_for.KEPT)
def test_the_words_to_keep(said: str, text: str) -> None:
    assert recognise(said) == Command("remember", text=text)


def test_ordinary_talk_is_no_command() -> None:
    """What was trained to hear that something shall be left out is wrong of one trap in fifty at
    most: these look like commands, and who says one is told and can have it kept."""
    talk = ["", " ", "?", "…", *lines_of("traps.txt")]
    found = [command for command in map(recognise, talk) if command is not None]
    assert {command.name for command in found} <= {"do_not_remember"}
    assert len(found) <= len(talk) / 50


def test_every_command_is_tried() -> None:
    tried = {name for _, name in utterances("by_name.txt")}
    assert tried == set(BY_WORDS)


def test_a_long_text_to_remember_is_kept_whole() -> None:
    text = "the plan has many parts. " * 400 + "It ends here."
    assert recognise(f"Remember that {text}") == Command("remember", text=text)


def test_a_long_message_is_no_other_command() -> None:
    assert recognise("forget that " + "and so on " * 40) is None
