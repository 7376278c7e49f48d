from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.actions.import_formats import MAX_IMPORT_CHARS, read_import
from memory.actions.import_rows import ForeignMemories
from memory.errors import InvalidInput
from memory.types import DEFAULT_SPACE, MAX_MEMORY_CHARS, NewMemory
from tests.memory.exports import file_of
from tests.tables import refusal

CHATGPT = """# Saved memories

1. User's name is Ada.
2. Prefers uv over pip.

- [2024-05-01] - User lives in Oslo.
"""
CLAUDE = """```
**Work**
[2024-05-01] - Works at Acme as a data engineer.
[unknown] - Is learning Norwegian.
[2025-01-31T10:00:00Z] - Likes “oat milk”
* Decided to use PostgreSQL
Here is what I know:
---
```
"""


def read(said: str | object, space: str = DEFAULT_SPACE) -> list[NewMemory]:
    found = read_import(file_of(said), space)
    assert isinstance(found, ForeignMemories)
    return [*found.items]


def contents(text: str) -> list[str]:
    return [item.content for item in read(text)]


def test_the_lines_of_another_assistant_lose_what_only_lists_them() -> None:
    assert contents(CHATGPT) == [
        "User's name is Ada.",
        "Prefers uv over pip.",
        "User lives in Oslo.",
    ]
    assert contents(CLAUDE) == [
        "Works at Acme as a data engineer.",
        "Is learning Norwegian.",
        "Likes “oat milk”",
        "Decided to use PostgreSQL",
    ]


def test_lines_are_memories_that_the_user_asked_for() -> None:
    item = read("- [2024-05-01] - User prefers tea", "work")[0]
    assert item == NewMemory(
        content="User prefers tea",
        space="work",
        manually_saved=True,
        created_at=datetime(2024, 5, 1, tzinfo=UTC),
    )


def test_when_it_happened_is_left_open_where_nobody_says_when_it_was_learned() -> None:
    """Otherwise “last Friday” would be read as of the import."""
    dated, undated = read("[2024-05-01] - Moved last Friday\nMoved last Friday")
    assert "occurred_at" not in dated.model_fields_set
    assert "occurred_at" in undated.model_fields_set


LINES = [
    ("• User likes tea", "User likes tea"),
    ("- [x] 3) User likes tea", "User likes tea"),
    ("2024-05-01: User likes tea", "User likes tea"),
    ("[2024-05-01] User likes tea", "User likes tea"),
    ('"User likes tea",', "User likes tea"),
    ("3.5 is User's grade", "3.5 is User's grade"),
    ("-5 degrees is too cold", "-5 degrees is too cold"),
    ("[2024-13-45] - User likes tea", "User likes tea"),
    ("2024 was a good year", "2024 was a good year"),
]


def test_a_line() -> None:
    assert [(line, got) for line, said in LINES if (got := contents(line)) != [said]] == []


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"))))
def test_a_line_read_twice_is_the_same(line: str) -> None:
    [said] = contents(f"- {line} tea")
    assert contents(f"- {said}") == [said]


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        items = read(text)
    except InvalidInput as error:
        assert str(error).endswith(".")
    else:
        assert items


@pytest.mark.parametrize(
    "data",
    [
        ["User likes tea", "User lives in Oslo"],
        {"memories": ["User likes tea", {"content": "User lives in Oslo"}]},
        [{"text": "User likes tea"}, {"memory": "User lives in Oslo"}],
    ],
)
def test_a_list_of_texts_is_taken_from_json(data: object) -> None:
    assert contents(json.dumps(data)) == ["User likes tea", "User lives in Oslo"]


REFUSED = [
    "",
    " \n\ufeff",
    "# Only a heading",
    '{"broken": ',
    '{"messages": []}',
    "[1, 2]",
    "[" * 100_000,
    '[{"title": "a chat", "mapping": {}}]',
    "x" * (MAX_MEMORY_CHARS + 1),
    "\x00\x01\x02binary",
    "a" * (MAX_IMPORT_CHARS + 1),
]


def test_anything_else_is_refused() -> None:
    assert [text[:20] for text in REFUSED if refusal(InvalidInput, read, text) is None] == []


def test_a_line_of_no_time_we_know_is_kept_without_it() -> None:
    [item] = read("- [0001-01-01] I met Anna yesterday")
    assert (item.content, item.created_at) == ("I met Anna yesterday", None)


HEADED = [
    "Saved memories\n\n- User likes tea\n- User lives in Oslo\n\nWork\n1. User works at Acme",
    "Saved memories\nUser likes tea.\nUser lives in Oslo.\n\nWork\n\nUser codes.\nUser swims.",
]


@pytest.mark.parametrize("text", HEADED)
def test_a_heading_without_a_mark_is_no_memory_and_is_told(text: str) -> None:
    found = read_import(file_of(text))
    assert isinstance(found, ForeignMemories)
    said = [item.content for item in found.items]
    assert not {"Saved memories", "Work"} & {*said}
    assert said[0].startswith("User likes tea")
    assert found.left_out == {"Heading": 2}


@pytest.mark.parametrize(
    "text",
    [
        "User likes tea\nUser lives in Oslo",
        "User likes tea\n\nUser lives in Oslo\n\nUser works at Acme",
        "- User likes tea\nand coffee\n- User lives in Oslo",
        "User likes tea\nUser lives in Oslo.",
        "User likes tea.\n- User lives in Oslo",
    ],
)
def test_a_memory_without_a_mark_is_no_heading(text: str) -> None:
    found = read_import(file_of(text))
    assert isinstance(found, ForeignMemories)
    assert len(found.items) == len([line for line in text.splitlines() if line])
    assert found.left_out == {}


@pytest.mark.parametrize("day", ["2999-01-01", "2024-13-45", "0001-01-01"])
def test_a_line_of_no_day_it_can_have_is_kept_without_it_and_that_is_told(day: str) -> None:
    found = read_import(file_of(f"[{day}] - User likes tea"))
    assert isinstance(found, ForeignMemories)
    assert [(item.content, item.created_at) for item in found.items] == [("User likes tea", None)]
    assert found.dropped == {"date": 1}
