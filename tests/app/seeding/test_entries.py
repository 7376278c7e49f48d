from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ops.seed import read_entries
from memory.errors import InvalidInput

values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(values, max_size=6), st.sampled_from([None, 0, 2]), st.booleans())
def test_a_list_gives_back_what_was_written_and_the_lines_it_stands_on(
    written: list[object], indent: int | None, wrapped: bool
) -> None:
    text = json.dumps({"memories": written} if wrapped else written, indent=indent)
    entries = read_entries(text)
    assert [entry.value for entry in entries] == written
    assert [entry.number for entry in entries] == list(range(1, len(written) + 1))
    lines = text.split("\n")
    for entry in entries:
        first = json.dumps(entry.value, indent=indent).split("\n")[0]
        assert first in lines[entry.line - 1]


@given(st.lists(st.dictionaries(st.sampled_from(["content", "type"]), values), max_size=4))
def test_one_object_a_line_gives_back_what_was_written(written: list[object]) -> None:
    text = "".join(f"{json.dumps(each)}\n\n" for each in written)
    if not written:
        return
    assert [entry.value for entry in read_entries(text)] == written
    assert [entry.line for entry in read_entries(text)] == [1 + 2 * n for n in range(len(written))]


@given(st.text() | st.text(alphabet='[]{}":,0a\n '))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        read_entries(text)
    except InvalidInput as error:
        assert str(error)


UNREADABLE = (
    ("", "It is empty."),
    (" \n", "It is empty."),
    ("5", "Line 1, column 1: a list of memories is wanted."),
    ('[{"content": "a"},\n {"content" "b"}]', "Line 2, column 13: this is not JSON"),
    ('[{"content": "a"}\n {"content": "b"}]', "Line 2, column 2: “]” is wanted."),
    ('[{"content": "a"}', "Line 1, column 18: “]” is wanted."),
    ("[1] 2", "Line 1, column 5: nothing may follow the list."),
    ('{\n"memories": {}}', "Line 2, column 13: “memories” is to be a list."),
    ('{"memories": [], "version": 1}', "“}” is wanted."),
    ('{\n"items": []}', "Line 1, column 1: a list is wanted, or an object with only"),
    ("[" * 100_000, "too large to read"),
)


def test_what_cannot_be_read_is_refused_with_its_place() -> None:
    for text, said in UNREADABLE:
        with pytest.raises(InvalidInput) as refused:
            read_entries(text)
        assert said in str(refused.value), text[:50]


def test_of_one_object_a_line_each_bad_line_is_named() -> None:
    good, bad, last = read_entries('{"content": "a"}\n{"content":\n\n{"content": "b"}\n')
    assert good.fault is None
    assert (bad.line, bad.number) == (2, 2)
    assert bad.fault is not None
    assert "column 12" in bad.fault
    assert (last.line, last.value) == (4, {"content": "b"})


def test_a_byte_order_mark_is_not_a_fault() -> None:
    assert [entry.value for entry in read_entries('\ufeff[{"content": "a"}]')] == [{"content": "a"}]
