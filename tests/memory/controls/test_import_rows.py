"""What other programs write of a memory, in the shapes that they write it in."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.import_formats import MAX_IMPORT_LINES, read_import
from memory.actions.import_rows import ForeignMemories
from memory.errors import InvalidInput
from memory.types import MAX_MEMORY_CHARS, NewMemory
from tests.memory.exports import file_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
VOLVO = "Bought a used Volvo yesterday"
LEARNED = datetime(2024, 5, 1, 10, tzinfo=UTC)

MEM0 = {
    "results": [
        {
            "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b8e",
            "memory": VOLVO,
            "hash": "2c1a4d1d",
            "metadata": {"mood": "glad"},
            "categories": ["car", "purchases"],
            "created_at": "2024-05-01T03:00:00-07:00",
            "updated_at": "2024-05-02T03:00:00.493548-07:00",
            "expiration_date": None,
            "structured_attributes": None,
            "score": 0.31,
            "user_id": "ada",
        }
    ],
    "relations": [],
}
OPEN_WEBUI = [
    {
        "id": "f3e1a9c2",
        "user_id": "7f6d",
        "content": VOLVO,
        "updated_at": 1714644000,
        "created_at": 1714557600,
    }
]
CHATGPT = {
    "memories": [
        {
            "id": "mem_1",
            "content": VOLVO,
            "updated_at": "2024-05-01T10:00:00.000000Z",
            "conversation_id": None,
        }
    ],
    "memory_max_tokens": 8000,
    "memory_num_tokens": 12,
}
LETTA = [
    {
        "id": "passage-1",
        "created_by_id": None,
        "created_at": "2024-05-01T10:00:00Z",
        "updated_at": "2024-05-01T10:00:00Z",
        "is_deleted": False,
        "archive_id": "archive-2",
        "file_name": None,
        "text": VOLVO,
        "metadata": {},
        "tags": ["car", "purchases"],
        "embedding": [0.1, 0.2],
        "embedding_config": {"embedding_model": "text-embedding-3-small", "embedding_dim": 1536},
    }
]
LANGGRAPH = {
    "items": [
        {
            "namespace": ["memories", "ada"],
            "key": "9d1c",
            "value": {"content": {"content": VOLVO, "tags": "car, purchases"}},
            "createdAt": "2024-05-01T10:00:00.000Z",
            "updatedAt": "2024-05-01T10:00:00.000Z",
        }
    ]
}
LANGCHAIN = {
    "documents": [
        {"page_content": VOLVO, "metadata": {"timestamp": 1714557600000, "tags": "#car,purchases"}}
    ]
}
QDRANT = {
    "result": {
        "points": [{"id": 1, "payload": {"data": VOLVO, "created_at": "2024-05-01T10:00:00+00:00"}}]
    }
}
DATED = [MEM0, OPEN_WEBUI, CHATGPT, LETTA, LANGGRAPH, LANGCHAIN, QDRANT]
TAGGED = [MEM0, LETTA, LANGGRAPH, LANGCHAIN]


def read(data: Any) -> ForeignMemories:
    found = read_import(file_of(json.dumps(data)), now=NOW)
    assert isinstance(found, ForeignMemories)
    return found


def read_one(**fields: Any) -> NewMemory:
    [item] = read([{"text": VOLVO} | fields]).items
    return item


def dropped(**fields: Any) -> dict[str, int]:
    return dict(read([{"text": VOLVO} | fields]).dropped)


@pytest.mark.parametrize("export", DATED)
def test_when_another_program_learned_it_is_kept(export: Any) -> None:
    [item] = read(export).items
    assert (item.content, item.created_at) == (VOLVO, LEARNED)
    assert item.manually_saved
    assert "occurred_at" not in item.model_fields_set


@pytest.mark.parametrize("export", TAGGED)
def test_the_tags_of_another_program_are_kept(export: Any) -> None:
    assert read(export).items[0].tags == ("car", "purchases")


def test_only_what_tells_something_is_named_as_dropped() -> None:
    """Ids, vectors and empty fields tell nothing here."""
    named = {name for export in DATED for name in read(export).dropped}
    assert named == {"mood"}


@pytest.mark.parametrize(
    "field",
    [
        "created_at",
        "createdAt",
        "Created At",
        "timestamp",
        "date",
        "create_time",
        "inserted_at",
        "updated_at",
        "updatedAt",
    ],
)
def test_a_date_is_known_by_any_of_its_names(field: str) -> None:
    assert read_one(**{field: "2024-05-01T10:00:00Z"}).created_at == LEARNED


@pytest.mark.parametrize(
    "date",
    [
        "2024-05-01T10:00:00Z",
        "2024-05-01T12:00:00+02:00",
        "2024-05-01 10:00:00",
        "20240501T100000",
        "Wed, 01 May 2024 10:00:00 GMT",
        1714557600,
        1714557600.0,
        "1714557600",
        1714557600000,
        1714557600000000,
    ],
)
def test_a_date_is_read_in_any_of_its_forms(date: Any) -> None:
    assert read_one(created_at=date).created_at == LEARNED


@pytest.mark.parametrize(
    "date",
    [
        "2027-01-01",
        1893456000,
        "last week",
        "2024-13-45",
        "0001-01-01T00:00:00+14:00",
        7,
        -1714557600,
        1e300,
        math.inf,
        math.nan,
        True,
        ["2024-05-01"],
        {"year": 2024},
    ],
)
def test_a_date_in_the_future_or_unreadable_is_dropped_and_told(date: Any) -> None:
    found = read([{"text": VOLVO, "created_at": date}])
    [item] = found.items
    assert (item.created_at, item.occurred_at) == (None, None)
    assert "occurred_at" in item.model_fields_set
    assert found.dropped == {"created_at": 1}


def test_the_second_date_is_taken_where_the_first_cannot_be_read() -> None:
    [item] = (found := read([{"text": VOLVO, "created_at": "?", "updated_at": 1714557600}])).items
    assert item.created_at == LEARNED
    assert found.dropped == {"created_at": 1}


def test_when_it_happens_is_kept_and_may_be_ahead() -> None:
    item = read_one(text="The dentist", event_date="2026-12-24", created_at="2026-05-01")
    assert item.occurred_at == datetime(2026, 12, 24, tzinfo=UTC)
    assert item.created_at == datetime(2026, 5, 1, tzinfo=UTC)


def test_what_ends_is_kept_until_then_and_left_out_afterwards() -> None:
    rows = [
        {"text": "Parks on deck 4", "expiration_date": "2026-12-24"},
        {"fact": "Ada works at Acme", "invalid_at": "2025-01-01T00:00:00Z"},
        {"text": "Likes cocoa", "is_deleted": True},
        {"content": "Likes milk", "enabled": False},
        {"content": "Likes tea", "enabled": True, "is_deleted": False, "deleted_at": None},
    ]
    found = read(rows)
    assert [(each.content, each.expires_at) for each in found.items] == [
        ("Parks on deck 4", datetime(2026, 12, 24, tzinfo=UTC)),
        ("Likes tea", None),
    ]
    assert found.left_out == {"Ended": 3}
    assert found.dropped == {}


def test_tags_are_a_list_or_words_with_commas() -> None:
    assert read_one(tags=["car", {"name": "used"}], category="purchases").tags == (
        "car",
        "used",
        "purchases",
    )
    assert read_one(labels="car, used ,, car").tags == ("car", "used")
    assert dropped(tags=["car", 7, "x" * 200]) == {"tags": 1}
    assert dropped(tags={"car": 1}, categories=None) == {"tags": 1}


def test_a_type_is_kept_where_it_is_one_of_ours() -> None:
    assert read_one(type="Preference").type == "preference"
    assert dropped(type="professional") == {"type": 1}
    assert "type" not in read_one(type="professional").model_fields_set


def test_fields_that_are_not_understood_are_counted_by_row() -> None:
    rows = [{"text": f"Owns kayak {number}", "source": "chat"} for number in range(3)]
    assert read([*rows, {"text": "Likes tea", "source": ""}]).dropped == {"source": 3}


def test_rows_without_a_text_or_with_too_much_of_it_leave_the_others_alone() -> None:
    rows = ["Likes tea", {"title": "a chat"}, 7, None, "", {"text": "x" * (MAX_MEMORY_CHARS + 1)}]
    found = read(rows)
    assert [each.content for each in found.items] == ["Likes tea"]
    assert found.left_out == {"NoText": 4, "InvalidInput": 1}


@pytest.mark.parametrize(
    "data",
    [
        {"memory": "Likes tea"},
        {"data": {"memories": ["Likes tea"]}},
        {"results": [], "memories": [{"text": "Likes tea"}]},
    ],
)
def test_rows_are_found_under_the_usual_names(data: Any) -> None:
    assert [each.content for each in read(data).items] == ["Likes tea"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["text", "created_at", "tags", "metadata", "value", "memories", "expiry"]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(ANYTHING)
def test_any_json_is_read_or_refused_with_a_sentence(data: Any) -> None:
    try:
        found = read(data if isinstance(data, list | dict) else [data])
    except InvalidInput as error:
        assert str(error).endswith(".")
    else:
        assert found.items or found.left_out
        assert all(NewMemory.model_validate(item.model_dump()) for item in found.items)


def test_json_holds_no_more_memories_than_lines_may() -> None:
    rows = [f"kayak {number}" for number in range(MAX_IMPORT_LINES + 1)]
    with pytest.raises(InvalidInput, match="10,000 memories at most"):
        read_import(file_of(rows))
    found = read_import(file_of(rows[1:]))
    assert isinstance(found, ForeignMemories)
    assert len(found.items) == MAX_IMPORT_LINES


def test_the_names_of_fields_that_are_told_are_printable_and_so_many() -> None:
    odd = {"text": VOLVO, "mo\x1b[2Jod\u202e": "glad"}
    many = [{"text": VOLVO, f"field {number}": "x"} for number in range(300)]
    found = read_import(file_of([odd, odd, *many]))
    assert isinstance(found, ForeignMemories)
    assert found.dropped["mo\ufffd[2Jod\ufffd"] == 2
    assert len(found.dropped) == 100
