from __future__ import annotations

from uuid import uuid4

import pytest

from agent.commands.parser import ReceivedMessage
from agent.conversations.state import ConversationState
from agent.turn.context import TurnContext
from agent.turn.notices import (
    NO_MEMORY,
    NOT_SAVED,
    RATE_LIMITED,
    READ_IN_PART,
    message_notices,
    turn_notices,
)
from memory.service import MemoryService
from memory.text import MAX_READ_CHARS
from memory.types import MemoryQueryResponse
from memory.understanding import OfflineReader

CARD = "My card is 4111 1111 1111 1111"


@pytest.fixture
def turn(memory: MemoryService) -> TurnContext:
    return TurnContext(
        user_id="ada",
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=memory,
        dialogue=ConversationState("default"),
        max_results=10,
        min_relevance=0.3,
        token_budget=100,
    )


def test_a_turn_that_went_well_has_nothing_to_tell(turn: TurnContext) -> None:
    turn.recalls = {"a": MemoryQueryResponse(), "b": MemoryQueryResponse(off=True)}
    assert turn_notices(turn, stored=True) == []


def test_each_trouble_is_told_once(turn: TurnContext) -> None:
    limited, failed = MemoryQueryResponse(rate_limited=True), MemoryQueryResponse(error=True)
    turn.recalls = {"a": limited, "b": failed, "c": limited, "d": failed}
    assert turn_notices(turn, stored=False) == [RATE_LIMITED, NO_MEMORY, NOT_SAVED]


def test_a_leg_that_failed_is_no_trouble_of_the_users(turn: TurnContext) -> None:
    turn.recalls = {"a": MemoryQueryResponse(degraded=("vector",))}
    assert turn_notices(turn, stored=True) == []


async def test_a_secret_is_told_by_its_kind_and_never_by_its_words() -> None:
    [told] = message_notices(
        await ReceivedMessage.listen(f"{CARD}, I repeat, {CARD}", OfflineReader()), redacted=True
    )
    assert "card" in told
    assert "was not stored" in told
    assert "4111" not in told
    assert (
        message_notices(
            await ReceivedMessage.listen("My bike is green", OfflineReader()), redacted=True
        )
        == []
    )


async def test_it_does_not_claim_to_have_redacted_what_the_user_wants_stored() -> None:
    [told] = message_notices(await ReceivedMessage.listen(CARD, OfflineReader()), redacted=False)
    assert "not stored" not in told
    assert "was not kept in memory" in told


async def test_a_message_is_told_to_be_too_long_where_something_of_it_was_not_read() -> None:
    lines = "My bike is green. " * (MAX_READ_CHARS // 10)
    assert message_notices(await ReceivedMessage.listen(lines, OfflineReader()), redacted=True) == [
        READ_IN_PART
    ]
    spread = f"My bike is{' ' * MAX_READ_CHARS}green."
    assert (
        message_notices(await ReceivedMessage.listen(spread, OfflineReader()), redacted=True) == []
    )
