from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from agent.conversations.state import ConversationState
from agent.turn.context import TurnContext
from memory.service import MemoryService
from memory.types import MemoryQueryResponse


def new_turn(memory: MemoryService, **fields: Any) -> TurnContext:
    return TurnContext(
        user_id="ada",
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=memory,
        dialogue=ConversationState("default"),
        max_results=10,
        min_relevance=0.3,
        token_budget=100,
        **fields,
    )


@pytest.mark.parametrize(
    ("words", "is_left_out"),
    [
        ("sara is ill", True),
        ("SARA, is ill!", True),
        ("Sara is ill, not for your notes. And I ski", True),
        ("I own a car", False),
        ("I like carpets", False),
        ("Sara is in Rome", False),
    ],
)
def test_what_is_to_be_left_out_is_told_by_its_words_however_they_are_spelt(
    memory: MemoryService, words: str, is_left_out: bool
) -> None:
    unkept = ("Sara is ill, not for your notes.", "I own a carpet.")
    turn = new_turn(memory, off_the_record=True, unkept=unkept)
    assert turn.leaves_out(words) is is_left_out


def test_the_recalls_of_a_turn_share_one_budget(memory: MemoryService) -> None:
    turn = new_turn(memory)
    assert turn.tokens_left == 100
    turn.recalls["a"] = MemoryQueryResponse(token_count=70)
    assert turn.tokens_left == 30
    turn.recalls["b"] = MemoryQueryResponse(token_count=40)
    assert turn.tokens_left == 0
