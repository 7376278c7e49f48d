"""What is heard of a text, whatever it is made of and however long it is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.understanding.left_out import MOST_CHARS, asked_to_leave_out, passages
from memory.understanding.ngrams import BUCKETS, buckets

ASKED = "Please do not store the following: I hate my boss."


@given(st.text(max_size=300))
def test_every_text_is_heard(text: str) -> None:
    assert asked_to_leave_out(text) in (None, "do_not_remember", "points_back")
    found = list(buckets(text))
    assert found == sorted(set(found))
    assert all(0 <= each < BUCKETS for each in found)


@pytest.mark.parametrize("before", ["", "I had rye bread for lunch. " * 5000])
@pytest.mark.parametrize("after", ["", " It was raining all day." * 5000])
def test_the_request_is_heard_at_the_beginning_and_at_the_end(before: str, after: str) -> None:
    if not (before and after):
        assert asked_to_leave_out(f"{before}{ASKED}{after}") == "do_not_remember"


@pytest.mark.parametrize("pumped", ["a", " ", "x. ", "no\n", "don't ", "é", "?!"])
def test_no_text_takes_long(pumped: str) -> None:
    text = pumped * (100_000 // len(pumped))
    began = time.process_time()
    asked_to_leave_out(text)
    assert time.process_time() - began < 0.5
    assert sum(map(len, passages(text)[1:])) <= 2 * MOST_CHARS
