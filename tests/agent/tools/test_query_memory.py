"""Nothing that goes wrong in the tool fails a turn."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

from agents.testing import ScriptedModel

from memory.service import MemoryService
from memory.store.database import Database
from tests.agent.scripts import calls, says, tool_output
from tests.agent.turns import Assist, read_messages, take_turn


async def test_messages_are_searched_where_the_model_asks_for_them(
    assist: Assist, memory: MemoryService, database: Database, user_id: str
) -> None:
    """They belong to the turn, the reply is stored with their ids, and the present turn is none."""
    said = "what a lot of rain in Bergen, ugh"
    await take_turn(assist(ScriptedModel([says("Ah.")])), user_id, uuid4(), said)
    await memory.embed_waiting(user_id)
    asked = {"query": "rain in Bergen", "types": None}
    model = ScriptedModel([calls("query_memory", **asked, include_messages=True), says("Yes.")])
    told = await take_turn(assist(model), user_id, uuid4(), "Rain in Bergen, what did I say?")
    result = tool_output(model.calls[1])
    assert [each["content"] for each in result["messages"]] == [said]
    assert [each.content for each in told.closed.messages] == [said]
    stored = await read_messages(database, user_id)
    assert json.loads(stored[-1]["recalled"]) == [
        {
            "message_id": str(stored[0]["id"]),
            "relevance": round(told.closed.messages[0].relevance_score, 4),
        }
    ]
    without = ScriptedModel([calls("query_memory", **asked), says("Yes.")])
    told = await take_turn(assist(without), user_id, uuid4(), "And without?")
    assert "messages" not in tool_output(without.calls[1])
    assert told.closed.messages == ()


async def test_a_huge_query_of_the_model_is_answered(assist: Assist, user_id: str) -> None:
    query = json.dumps({"query": "bike " * 60_000, "types": None})
    model = ScriptedModel([calls("query_memory", query), says("Nothing.")])
    told = await take_turn(assist(model), user_id, UUID(int=7), "Where is it?")
    assert told.error is None
    assert tool_output(model.calls[1])["metadata"]["error"] is False
