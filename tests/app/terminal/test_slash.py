from __future__ import annotations

import pytest

from agent.commands.parser import Command
from app.terminal.commands import parse_slash_command
from memory.errors import InvalidInput

COMMANDS = (
    ("/remember", "I like tea", Command("remember", text="I like tea")),
    ("/forget", "", Command("forget")),
    ("/forget", "my sister", Command("forget", about="my sister")),
    ("/forget", "my sister for good", Command("forget", about="my sister", for_good=True)),
    ("/forget", "For Good", Command("forget", for_good=True)),
    ("/pin", "uv", Command("pin", about="uv")),
    ("/memory", "off", Command("memory_off")),
    ("/memory", "Read-Only", Command("memory_read_only")),
    ("/incognito", "", Command("incognito_on")),
    ("/incognito", "off", Command("incognito_off")),
    ("/why", "", Command("why")),
    ("/why", "#2", Command("why", about="#2")),
    ("/forget", "#2 for good", Command("forget", about="#2", for_good=True)),
    ("/edit", "I live in Oslo", Command("edit", text="I live in Oslo")),
    ("/edit", "#2  I live in Oslo", Command("edit", about="#2", text="I live in Oslo")),
    ("/edit", "#music is on", Command("edit", text="#music is on")),
)


def test_a_slash_stands_for_a_command() -> None:
    found = [(name, words, parse_slash_command(name, words)) for name, words, _ in COMMANDS]
    assert found == list(COMMANDS)


def test_missing_or_wrong_words_are_told() -> None:
    for name, words in (
        *(("/remember", ""), ("/about", " "), ("/memory", "of"), ("/edit", "")),
        ("/edit", "#2"),
    ):
        with pytest.raises(InvalidInput, match=name):
            parse_slash_command(name, words)


def test_other_commands_are_somebody_elses() -> None:
    assert parse_slash_command("/help", "") is None
