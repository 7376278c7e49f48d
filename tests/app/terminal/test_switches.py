from __future__ import annotations

import pytest

from agent.commands.command import Command
from app.terminal.switches import _switch, notices, private
from app.terminal.turns import Turns
from memory.errors import InvalidInput


def test_on_and_off_in_any_case() -> None:
    assert _switch("/redact", "ON")
    assert not _switch("/redact", "off")


@pytest.mark.parametrize("words", ["", "maybe", "on please"])
def test_anything_else_is_asked_back(words: str) -> None:
    with pytest.raises(InvalidInput, match="/private on, or /private off"):
        _switch("/private", words)


async def test_after_private_off_the_next_conversation_begins_as_usual(turns: Turns) -> None:
    """Though the last one was incognito; one that the user made so is carried over as ever."""
    await private("on", turns, None)
    assert "It is incognito" in await turns.start_over()
    await private("off", turns, None)
    assert "incognito" not in await turns.start_over()
    await turns.obey(Command("incognito_on"))
    assert "It is incognito" in await turns.start_over()


async def test_how_much_is_told_is_set_for_the_space(turns: Turns) -> None:
    assert await notices("Changes", turns, None) != await notices("none", turns, None)
    assert (await turns.known()).notices == "none"
    with pytest.raises(InvalidInput, match="/notices all, /notices changes, or /notices none"):
        await notices("", turns, None)
