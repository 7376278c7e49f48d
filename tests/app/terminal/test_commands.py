from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from app.terminal.commands import (
    COMMANDS,
    conversation_lines,
    find_command,
    help_lines,
    history_lines,
    unknown_command_text,
)
from memory.types import MessageStatus, Role, StoredConversation, StoredMessage

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("/help", "/help"),
        ("  /History all ", "/history"),
        ("/memores", "/memores"),
        ("/usr/bin is where it lies", None),
        ("/5 of them", None),
        ("what is /help?", None),
        ("/", None),
        ("", None),
    ],
)
def test_a_command_is_a_slash_and_a_word(line: str, command: str | None) -> None:
    assert find_command(line) == command


@pytest.mark.parametrize(
    ("typed", "meant"), [("/memores", "/memories"), ("/exit", "/quit"), ("/hlep", "/help")]
)
def test_an_unknown_command_gets_the_nearest_one(typed: str, meant: str) -> None:
    assert f"Did you mean {meant}?" in unknown_command_text(typed)


def test_help_names_every_command() -> None:
    assert all(any(line.startswith(name) for line in help_lines()) for name in COMMANDS)


def _message(role: Role, content: str, status: MessageStatus = "complete") -> StoredMessage:
    return StoredMessage(
        id=uuid4(),
        conversation_id=uuid4(),
        role=role,
        content=content,
        status=status,
        correlation_id=uuid4(),
        position=1,
        created_at=NOON,
    )


def test_history_says_who_said_what_and_what_was_cut_off() -> None:
    said = [_message("user", "go"), _message("assistant", "so f\x1bar", "interrupted")]
    assert history_lines(said) == ["you: go", "keepsake: so far (interrupted)"]
    assert "Nothing was said" in history_lines([])[0]


def test_conversations_are_one_line_each() -> None:
    found = [StoredConversation(id=uuid4(), title="go\nthere", created_at=NOON, updated_at=NOON)]
    [line] = conversation_lines(found)
    assert line.endswith("go there")
