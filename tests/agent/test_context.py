from __future__ import annotations

from uuid import uuid4

from agent.context import TurnContext
from memory.models import MemoryQueryResponse
from memory.service import Memory


def test_the_recalls_of_a_turn_share_one_budget(memory: Memory) -> None:
    turn = TurnContext("ada", uuid4(), uuid4(), memory, 10, 0.3, token_budget=100)
    assert turn.tokens_left == 100
    turn.recalls.append(MemoryQueryResponse(token_count=70))
    assert turn.tokens_left == 30
    turn.recalls.append(MemoryQueryResponse(token_count=40))
    assert turn.tokens_left == 0
