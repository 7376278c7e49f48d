from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.understanding.secret_values import find_secret_values

pieces = st.lists(st.sampled_from(["the gate code is ", "4417", " ", "\n", "\0", "B7#", "(", ".,"]))


@given(st.one_of(st.text(max_size=80), pieces.map("".join)))
def test_what_is_found_lies_in_order_inside_the_text(text: str) -> None:
    end = 0
    for start, stop in find_secret_values(text):
        assert end <= start < stop <= len(text)
        end = stop


def test_the_value_is_found_without_the_marks_around_it() -> None:
    text = "The code for the garage door is “4417”."
    assert [text[start:end] for start, end in find_secret_values(text)] == ["4417"]
