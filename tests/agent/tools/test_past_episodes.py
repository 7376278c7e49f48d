from __future__ import annotations

from typing import cast
from uuid import uuid4

import pytest

from agent.conversations.state import ConversationState
from agent.tools.episodes import past_episodes
from agent.turn.context import TurnContext
from memory.errors import DatabaseUnavailable
from memory.service import MemoryService


class Failing:
    """A memory whose episodes fail."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    @property
    def episodes(self) -> object:
        raise self._error


@pytest.mark.parametrize(
    "error",
    [DatabaseUnavailable(reason="it is away"), TimeoutError(), ZeroDivisionError("words")],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_goes_wrong_with_them_no_turn_fails_for_it(error: Exception) -> None:
    turn = TurnContext(
        user_id="ada",
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=cast(MemoryService, Failing(error)),
        dialogue=ConversationState("default"),
        max_results=10,
        min_relevance=0.3,
        token_budget=100,
        said="Deploy the shop",
    )
    assert await past_episodes(turn) == ""
