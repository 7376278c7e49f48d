from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ops.seed import SeedEntry, SeedMemory, check_entry


def _faults(value: object) -> list[str]:
    checked = check_entry(SeedEntry(3, 12, value))
    return [] if isinstance(checked, SeedMemory) else checked


def test_everything_that_may_be_given_arrives() -> None:
    checked = check_entry(
        SeedEntry(
            1,
            1,
            {
                "content": " I live in Berlin ",
                "type": "fact",
                "bank": "Personal",
                "tags": ["home", "city"],
                "importance": 1,
                "created_at": "2025-03-01T10:00:00+02:00",
                "occurred_at": "2025-02-01",
                "expires_at": None,
            },
        )
    )
    assert isinstance(checked, SeedMemory)
    item = checked.as_item()
    assert item.content == "I live in Berlin"
    assert item.tags == ("home", "city")
    assert item.created_at == datetime(2025, 3, 1, 8, tzinfo=UTC)
    assert item.occurred_at == datetime(2025, 2, 1, tzinfo=UTC)
    assert item.manually_saved


FAULTY: tuple[tuple[object, str], ...] = (
    ({"content": "x", "type": "fakt"}, "type must be one of 'fact', 'preference'"),
    ({"content": "x", "pinned": True}, "'pinned' is not known"),
    ({"type": "fact"}, "content is missing"),
    ({"content": ""}, "content: there is nothing in it to read."),
    ({"content": "\x00\x01"}, "content: there is nothing in it to read."),
    ({"content": 5}, "content must be a valid string"),
    ({"content": "x" * 8193}, "content: String should have at most 8192 characters"),
    ({"content": "x", "importance": 2}, "importance must be less than or equal to 1"),
    ({"content": "x", "importance": "0.9"}, "importance must be a valid number"),
    ({"content": "x", "importance": float("nan")}, "importance"),
    ({"content": "x", "tags": "home"}, "tags must be a valid"),
    ({"content": "x", "tags": ["a\x00"]}, "tags.0 must be a word or a few"),
    ({"content": "x", "bank": "b" * 51}, "bank"),
    ({"content": "x", "created_at": "yesterday"}, "created_at"),
    ({"content": "x", "created_at": "0001-01-01T00:00:00+14:00"}, "created_at"),
    ({"content": "\ud800"}, "cannot be read as text"),
    (["x"], "an object with “content” is wanted"),
    (None, "an object with “content” is wanted"),
)


def test_what_is_wrong_is_said_with_its_place() -> None:
    for value, said in FAULTY:
        [fault] = _faults(value)
        assert fault.startswith("line 12, entry 3: ")
        assert said in fault


@pytest.mark.parametrize(
    "value",
    [
        {"content": "My password is hunter2!Xy9"},
        {"content": "my bank card", "tags": ["4111 1111 1111 1111"]},
    ],
)
def test_a_secret_is_a_fault_that_is_not_repeated(value: object) -> None:
    [fault] = _faults(value)
    assert fault.startswith("line 12, entry 3: it holds a secret (")
    assert "hunter2" not in fault
    assert "4111" not in fault


def test_each_fault_of_an_entry_is_said() -> None:
    assert len(_faults({"content": "", "type": 1, "importance": -1, "x": 0})) == 4


@given(
    st.dictionaries(
        st.sampled_from([*SeedMemory.model_fields, "other"]),
        st.none() | st.text() | st.floats() | st.integers() | st.lists(st.text()) | st.booleans(),
    )
)
def test_any_object_becomes_a_memory_that_can_be_kept_or_faults(value: dict[str, object]) -> None:
    checked = check_entry(SeedEntry(1, 1, value))
    if isinstance(checked, SeedMemory):
        item = checked.as_item()
        assert item.content.strip() == item.content != ""
        assert "\x00" not in "".join((item.content, item.bank, *item.tags))
    else:
        assert checked
        assert all("\n" not in fault for fault in checked)
