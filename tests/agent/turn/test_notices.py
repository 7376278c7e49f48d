from __future__ import annotations

from uuid import uuid4

import pytest

from agent.talks.dialogue import Dialogue
from agent.turn.context import TurnContext
from agent.turn.heard import Heard
from agent.turn.notices import (
    notices_of,
    notices_of_message,
)
from agent.wording.wording import IN_ENGLISH
from memory.recalls import MemoryQueryResponse
from memory.service import Memory
from memory.store.modes import SpaceSettings
from memory.text import MOST_READ
from memory.understanding import OfflineReader

CARD = "My card is 4111 1111 1111 1111"


@pytest.fixture
def turn(memory: Memory) -> TurnContext:
    return TurnContext(
        user_id="ada",
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=memory,
        dialogue=Dialogue("default"),
        max_results=10,
        min_relevance=0.3,
        token_budget=100,
    )


def test_a_turn_that_went_well_has_nothing_to_tell(turn: TurnContext) -> None:
    turn.recalls = [MemoryQueryResponse(), MemoryQueryResponse(off=True)]
    assert notices_of(turn, stored=True) == []


def test_each_trouble_is_told_once(turn: TurnContext) -> None:
    limited, failed = MemoryQueryResponse(rate_limited=True), MemoryQueryResponse(error=True)
    turn.recalls = [limited, failed, limited, failed]
    assert notices_of(turn, stored=False) == [
        IN_ENGLISH.say("asked_too_often"),
        IN_ENGLISH.say("memory_not_read"),
        IN_ENGLISH.say("reply_not_saved"),
    ]


def test_a_leg_that_failed_is_no_trouble_of_the_users(turn: TurnContext) -> None:
    turn.recalls = [MemoryQueryResponse(degraded=("vector",))]
    assert notices_of(turn, stored=True) == []


async def test_a_secret_is_told_by_its_kind_and_never_by_its_words() -> None:
    [told] = notices_of_message(
        await Heard.listen(f"{CARD}, I repeat, {CARD}", OfflineReader()), SpaceSettings()
    )
    assert "card" in told
    assert "was not stored" in told
    assert "4111" not in told
    assert (
        notices_of_message(await Heard.listen("My bike is green", OfflineReader()), SpaceSettings())
        == []
    )


async def test_it_does_not_claim_to_have_redacted_what_the_user_wants_stored() -> None:
    [told] = notices_of_message(
        await Heard.listen(CARD, OfflineReader()), SpaceSettings(redact_messages=False)
    )
    assert "not stored" not in told
    assert "was not kept in memory" in told


async def test_a_message_is_told_to_be_too_long_where_something_of_it_was_not_read() -> None:
    lines = "My bike is green. " * (MOST_READ // 10)
    assert notices_of_message(await Heard.listen(lines, OfflineReader()), SpaceSettings()) == [
        IN_ENGLISH.say("read_in_part", characters=f"{MOST_READ:,}")
    ]
    spread = f"My bike is{' ' * MOST_READ}green."
    assert notices_of_message(await Heard.listen(spread, OfflineReader()), SpaceSettings()) == []
