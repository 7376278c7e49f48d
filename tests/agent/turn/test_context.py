from __future__ import annotations

from uuid import uuid4

from agent.conversations.state import ConversationState
from agent.turn.context import TurnContext
from memory.service import MemoryService
from memory.types import MemoryQueryResponse


def test_the_recalls_of_a_turn_share_one_budget(memory: MemoryService) -> None:
    turn = TurnContext(
        user_id="ada",
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=memory,
        dialogue=ConversationState("default"),
        max_results=10,
        min_relevance=0.3,
        token_budget=100,
    )
    assert turn.tokens_left == 100
    turn.recalls.append(MemoryQueryResponse(token_count=70))
    assert turn.tokens_left == 30
    turn.recalls.append(MemoryQueryResponse(token_count=40))
    assert turn.tokens_left == 0
