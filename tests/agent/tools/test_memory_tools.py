"""The model's tools: nothing that goes wrong in them fails a turn."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from agents.testing import ScriptedModel
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.memory_tools import make_tools, recall_result
from memory.database import Database
from memory.models import MAX_ITEM_CHARS
from memory.recalls import MemoryItem, MemoryQueryResponse, MessageQueryResponse, RecalledMessage
from memory.service import Memory
from prompts import load_prompt
from tests.agent.scripts import calls, says, tool_output
from tests.agent.turns import Assist, Told, read_messages, take_turn


def recalled(content: str) -> MemoryItem:
    return MemoryItem(
        id=str(uuid4()),
        content=content,
        type="fact",
        relevance_score=0.876,
        source=None,
        created_at=datetime(2026, 5, 3, tzinfo=UTC),
        importance=0.5,
    )


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=4))
def test_the_result_carries_any_text_and_closes_no_tag(contents: list[str]) -> None:
    text = recall_result(MemoryQueryResponse(items=[recalled(each) for each in contents]))
    result = json.loads(text)
    assert "<" not in text
    assert ">" not in text
    assert [each["content"] for each in result["memories"]] == contents
    assert result["metadata"]["count"] == len(contents)
    assert result["notice"] == load_prompt("recalled_notice")


def test_relevance_has_two_digits_and_the_context_a_date() -> None:
    [told] = json.loads(recall_result(MemoryQueryResponse(items=[recalled("tea")])))["memories"]
    assert (told["relevance"], told["context"]) == (0.88, "kept on 3 May 2026")


def test_no_tool_has_a_way_to_name_a_user() -> None:
    for tool in make_tools():
        names = set(tool.params_json_schema["properties"])
        assert names <= {"query", "types", "include_messages", "content", "action", "about", "text"}
        assert tool.params_json_schema["additionalProperties"] is False


async def remember(assist: Assist, user_id: str, arguments: str) -> tuple[dict[str, object], Told]:
    model = ScriptedModel([calls("remember", arguments), says("Done.")])
    told = await take_turn(assist(model), user_id, uuid4(), "Here is one for you")
    return tool_output(model.calls[1]), told


async def test_remember_keeps_the_words_with_type_and_source(
    assist: Assist, memory: Memory, database: Database, user_id: str
) -> None:
    result, told = await remember(assist, user_id, '{"content": "I prefer tea over coffee"}')
    assert result["kept"] == "I prefer tea over coffee"
    assert "I will remember" in str(result["answer"])
    [kept] = await memory.list_recent(user_id)
    assert kept.type == "preference"
    assert [item.id for item in told.closed.kept] == [kept.id]
    assert kept.manually_saved is True
    assert kept.source_message_id == (await read_messages(database, user_id))[0]["id"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (json.dumps({"content": ""}), "nothing in it to read"),
        (json.dumps({"content": "x" * (MAX_ITEM_CHARS + 1)}), "8,192 characters"),
        (json.dumps({"content": "\x00 \x07"}), "nothing in it to read"),
    ],
)
async def test_what_cannot_be_kept_is_said_to_the_model(
    assist: Assist, memory: Memory, user_id: str, arguments: str, reason: str
) -> None:
    result, told = await remember(assist, user_id, arguments)
    assert result["kept"] is None
    assert reason in str(result["error"])
    assert (told.error, told.text) == (None, "Done.")
    assert await memory.list_recent(user_id) == []


@pytest.mark.parametrize("arguments", ['{"content": ', "{}", '{"content": 7}', "[]"])
async def test_arguments_that_are_none_are_said_to_be_so(
    assist: Assist, memory: Memory, user_id: str, arguments: str
) -> None:
    """It is the arguments that were wrong, not the memory that was slow."""
    result, told = await remember(assist, user_id, arguments)
    assert result["kept"] is None
    assert "in time" not in str(result["error"])
    assert told.error is None
    assert await memory.list_recent(user_id) == []


def said(content: str, **fields: str | None) -> RecalledMessage:
    return RecalledMessage(
        id=str(uuid4()),
        conversation_id=str(uuid4()),
        role="user",
        content=content,
        created_at=datetime(2026, 5, 3, tzinfo=UTC),
        relevance_score=0.876,
        **fields,
    )


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=4))
def test_the_messages_of_a_result_close_no_tag_either(contents: list[str]) -> None:
    messages = [said(each, before=each, after=each) for each in contents]
    text = recall_result(MemoryQueryResponse(), MessageQueryResponse(items=messages))
    assert "<" not in text
    assert ">" not in text
    told = json.loads(text)["messages"]
    assert [each["content"] for each in told] == contents
    assert [each["before"] for each in told] == [each["after"] for each in told] == contents


def test_a_message_has_who_said_it_and_when() -> None:
    result = recall_result(MemoryQueryResponse(), MessageQueryResponse(items=[said("tea")]))
    [told] = json.loads(result)["messages"]
    assert (told["said_by"], told["context"], told["relevance"]) == (
        "user",
        "said on 3 May 2026",
        0.88,
    )


def test_a_result_speaks_of_messages_only_where_they_were_asked_for() -> None:
    assert "messages" not in recall_result(MemoryQueryResponse())
    failed = json.loads(recall_result(MemoryQueryResponse(), MessageQueryResponse(error=True)))
    assert (failed["messages"], failed["metadata"]["messages_error"]) == ([], True)
    assert failed["metadata"]["error"] is False


async def test_messages_are_searched_where_the_model_asks_for_them(
    assist: Assist, memory: Memory, database: Database, user_id: str
) -> None:
    """They belong to the turn, the reply is stored with their ids, and the present turn is none."""
    await take_turn(assist(ScriptedModel([says("Ah.")])), user_id, uuid4(), "It rains in Bergen")
    await memory.embed_waiting(user_id)
    asked = {"query": "rain in Bergen", "types": None}
    model = ScriptedModel([calls("query_memory", **asked, include_messages=True), says("Yes.")])
    told = await take_turn(assist(model), user_id, uuid4(), "Rain in Bergen, what did I say?")
    result = tool_output(model.calls[1])
    assert [each["content"] for each in result["messages"]] == ["It rains in Bergen"]
    assert [each.content for each in told.closed.messages] == ["It rains in Bergen"]
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
