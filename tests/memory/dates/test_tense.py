from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.dates.tense import Tense, is_one_event, says_always, tense_at

CLAUSES: list[tuple[str, Tense]] = [
    ("I saw the doctor on X", "past"),
    ("On X I saw the doctor", "past"),
    ("what did I do on X", "past"),
    ("what did I need on X", "past"),
    ("I will never forget what happened on X", "past"),
    ("I moved to Oslo and will start on X", "future"),
    ("My friend who moved here is coming on X", "future"),
    ("I'm getting married on X", "future"),
    ("I'm excited to meet Anna on X", "present"),
    ("I was ill, but I'm going back on X", "future"),
    ("She may come on X", "future"),
    ("I need to see the detailed plan on X", "future"),
    ("I have an exam on X", "present"),
    ("the call is on X", "present"),
    ("I feed the cat on X", "unknown"),
    ("I was ill. Dinner on X", "unknown"),
]


def test_the_verb_nearest_before_a_date_tells() -> None:
    assert [
        (text, got)
        for text, tense in CLAUSES
        if (got := tense_at(text, text.index("X"), text.index("X") + 1)) != tense
    ] == []


EVENTS = [
    ("I was there in X", True),
    ("The exam is in X", True),
    ("I ski in X", False),
    ("I usually went skiing in X", False),
    ("My birthday is in X", False),
    ("My birthday party was in X", True),
]


def test_what_happens_once_has_its_year() -> None:
    assert [
        text
        for text, once in EVENTS
        if is_one_event(text, text.index("X"), text.index("X") + 1) is not once
    ] == []


def test_a_habit_is_one_within_its_own_clause() -> None:
    assert says_always("I always run on X", 16, 17)
    assert not says_always("I always run. I met Tom on X", 27, 28)


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_any_span_of_any_text_has_a_tense(text: str, start: int, length: int) -> None:
    assert tense_at(text, start, start + length) in ("past", "future", "present", "unknown")
