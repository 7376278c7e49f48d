from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from pydantic import ValidationError

from memory.types import (
    MAX_MEMORY_CHARS,
    MAX_USER_ID_CHARS,
    MEMORY_TYPES,
    MemoryItem,
    MemoryQueryRequest,
    MemoryQueryResponse,
    NewMemory,
)
from tests.tables import refusal


def test_a_query_needs_only_user_and_words() -> None:
    request = MemoryQueryRequest(user_id="ada", query="uv")
    assert (request.limit, request.types, request.min_score) == (10, None, 0.3)


WRONG_QUERIES: list[dict[str, Any]] = [
    {"user_id": ""},
    {"user_id": "x" * (MAX_USER_ID_CHARS + 1)},
    {"user_id": "a\x00b"},
    {"user_id": "a\nb"},
    {"user_id": "\ud800"},
    {"user_id": 7},
    {"query": None},
    {"query": b"\xff"},
    {"limit": 0},
    {"limit": 101},
    {"limit": "many"},
    {"types": ["opinion"]},
    {"types": "fact"},
    {"min_score": -0.1},
    {"min_score": 1.1},
    {"min_score": float("nan")},
    {"min_scores": 0.3},
]


def test_a_wrong_query_is_refused() -> None:
    def make(wrong: dict[str, Any]) -> object:
        return MemoryQueryRequest(**{"user_id": "ada", "query": "uv"} | wrong)

    assert [wrong for wrong in WRONG_QUERIES if refusal(ValidationError, make, wrong) is None] == []


USERS = ["x" * MAX_USER_ID_CHARS, "Zoë O'Neill", "a@example.org", "--"]


def test_a_user_may_have_any_readable_name() -> None:
    assert [
        name for name in USERS if MemoryQueryRequest(user_id=name, query="").user_id != name
    ] == []


def test_nobody_may_be_called_as_the_store_calls_nobody() -> None:
    """“-” stands for the worker, and for who is not known yet: its jobs and settings are no
    person's."""
    with pytest.raises(ValidationError):
        MemoryQueryRequest(user_id="-", query="")


WRONG_MEMORIES: list[dict[str, Any]] = [
    {"content": ""},
    {"content": "x" * (MAX_MEMORY_CHARS + 1)},
    {"type": "opinion"},
    {"importance": 1.01},
    {"importance": float("nan")},
    {"source_message_id": "not an id"},
    {"colour": "red"},
]


def test_a_wrong_memory_is_refused() -> None:
    def make(wrong: dict[str, Any]) -> object:
        return NewMemory(**{"content": "I prefer uv"} | wrong)

    assert [
        wrong for wrong in WRONG_MEMORIES if refusal(ValidationError, make, wrong) is None
    ] == []


def test_a_memory_has_one_of_seven_types() -> None:
    assert [kind for kind in MEMORY_TYPES if NewMemory(content="x", type=kind).type != kind] == []
    assert len(MEMORY_TYPES) == 7


def test_a_memory_cannot_be_changed_in_passing() -> None:
    with pytest.raises(ValidationError):
        NewMemory(content="x").content = "y"


def test_a_recall_that_found_nothing_is_told_from_one_that_failed() -> None:
    assert not MemoryQueryResponse().error
    assert MemoryQueryResponse().degraded == ()
    assert MemoryQueryResponse().items == []


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_a_relevance_is_a_probability(score: float) -> None:
    with pytest.raises(ValidationError):
        MemoryItem(
            id=str(uuid4()),
            content="x",
            type="fact",
            relevance_score=score,
            answer_score=0.9,
            confidence="high",
            source=None,
            created_at=datetime.now(UTC),
            importance=0.5,
        )
