from __future__ import annotations

import pytest

from agent.commands.parser import Command
from agent.commands.slash import SlashCommand, parse_switch
from app.terminal.commands import run_slash_command
from app.terminal.session import TerminalSession
from memory.errors import InvalidInput


def test_on_and_off_in_any_case() -> None:
    assert parse_switch("/redact", "ON")
    assert not parse_switch("/redact", "off")


@pytest.mark.parametrize("words", ["", "maybe", "on please"])
def test_anything_else_is_asked_back(words: str) -> None:
    with pytest.raises(InvalidInput, match="/private on, or /private off"):
        parse_switch("/private", words)


async def test_after_private_off_the_next_conversation_begins_as_usual(
    turns: TerminalSession,
) -> None:
    """Though the last one was incognito; one that the user made so is carried over as ever."""
    await run_slash_command(SlashCommand("/private", "on"), turns, None)
    assert "It is incognito" in await turns.start_over()
    await run_slash_command(SlashCommand("/private", "off"), turns, None)
    assert "incognito" not in await turns.start_over()
    await turns.obey(Command("incognito_on"))
    assert "It is incognito" in await turns.start_over()
