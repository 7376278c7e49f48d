from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.api.streaming import replay_turn
from memory.errors import TurnNotFound
from memory.store.conversations import MessageWithSources
from memory.types import MessageStatus, Role, StoredMessage

TURN, CHAT = uuid4(), uuid4()


def shown(role: Role, text: str, status: MessageStatus = "complete") -> MessageWithSources:
    message = StoredMessage(
        id=uuid4(),
        conversation_id=CHAT,
        role=role,
        content=text,
        status=status,
        correlation_id=TURN,
        position=1,
        created_at=datetime.now(UTC),
    )
    return MessageWithSources(message)


async def told(*said: MessageWithSources) -> list[tuple[str, dict[str, Any]]]:
    turn = replay_turn("ada", TURN, said, [])
    return [(each.name, json.loads(each.data)) async for each in turn.follow()]


async def test_the_reply_comes_in_one_piece() -> None:
    events = await told(shown("user", "Hello"), shown("assistant", "Good day."))

    assert [name for name, _ in events] == ["turn", "text", "done", "end"]
    assert events[0][1]["conversation_id"] == str(CHAT)
    assert events[1][1] == {"text": "Good day."}
    assert (events[2][1]["status"], events[2][1]["saved"]) == ("complete", True)


async def test_a_reply_that_was_lost_is_said_to_be() -> None:
    events = await told(shown("user", "Hello"))

    assert [name for name, _ in events] == ["turn", "done", "end"]
    assert (events[1][1]["status"], events[1][1]["saved"]) == ("interrupted", False)


async def test_what_was_withheld_stays_so() -> None:
    events = await told(shown("user", "Hello"), shown("assistant", "secret", "withheld"))

    assert "secret" not in str(events)


def test_nothing_is_left_to_tell() -> None:
    with pytest.raises(TurnNotFound):
        replay_turn("ada", UUID(int=0), [], [])
