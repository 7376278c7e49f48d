from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from agent.tools.memory import format_recall
from memory.types import MemoryItem, MemoryQueryResponse, MessageQueryResponse, RecalledMessage
from prompts import load_prompt


def recalled(content: str) -> MemoryItem:
    return MemoryItem(
        id=str(uuid4()),
        content=content,
        type="fact",
        relevance_score=0.876,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=datetime(2026, 5, 3, tzinfo=UTC),
        importance=0.5,
    )


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=4))
def test_the_result_carries_any_text_and_closes_no_tag(contents: list[str]) -> None:
    text = format_recall(MemoryQueryResponse(items=[recalled(each) for each in contents]))
    result = json.loads(text)
    assert "<" not in text
    assert ">" not in text
    assert [each["content"] for each in result["memories"]] == contents
    assert result["metadata"]["count"] == len(contents)
    assert result["notice"] == load_prompt("recalled_notice")


def test_relevance_has_two_digits_and_the_context_a_date() -> None:
    [told] = json.loads(format_recall(MemoryQueryResponse(items=[recalled("tea")])))["memories"]
    assert (told["relevance"], told["context"]) == (0.88, "kept on 3 May 2026")


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
    text = format_recall(MemoryQueryResponse(), MessageQueryResponse(items=messages))
    assert "<" not in text
    assert ">" not in text
    told = json.loads(text)["messages"]
    assert [each["content"] for each in told] == contents
    assert [each["before"] for each in told] == [each["after"] for each in told] == contents


def test_a_message_has_who_said_it_and_when() -> None:
    result = format_recall(MemoryQueryResponse(), MessageQueryResponse(items=[said("tea")]))
    [told] = json.loads(result)["messages"]
    assert (told["said_by"], told["context"], told["relevance"]) == (
        "user",
        "said on 3 May 2026",
        0.88,
    )


def test_a_result_speaks_of_messages_only_where_they_were_asked_for() -> None:
    assert "messages" not in format_recall(MemoryQueryResponse())
    failed = json.loads(format_recall(MemoryQueryResponse(), MessageQueryResponse(error=True)))
    assert (failed["messages"], failed["metadata"]["messages_error"]) == ([], True)
    assert failed["metadata"]["error"] is False
