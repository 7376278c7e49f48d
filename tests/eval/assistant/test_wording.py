from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.datasets.assistant_rules import (
    contains_any_phrase,
    contains_phrase,
    meaningful_words,
    normalise_text,
)


@pytest.mark.parametrize(
    ("text", "wording", "held"),
    [
        ("No hazelnuts, please.", "hazelnut", True),
        ("At  9:30 in Room\nJuniper", "room juniper", True),
        ("It costs 13,200 euros.", "3,200", False),
        ("a goat, milked", "oat milk", False),
        ("You don’t eat fish", "don't eat", True),
    ],
)
def test_a_wording_begins_at_a_word(text: str, wording: str, held: bool) -> None:
    assert contains_phrase(text, wording) is held
    assert contains_any_phrase(text, ["nothing of it", wording]) is held


def test_words_that_say_nothing_do_not_count() -> None:
    assert meaningful_words("I have the book club at 9:30 with Amara's cat.") == {
        "book",
        "club",
        "9:30",
        "amara's",
        "cat",
    }


@given(st.text())
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert normalise_text(normalise_text(text)) == normalise_text(text)


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1), st.text())
def test_a_text_holds_what_stands_alone_in_it(word: str, rest: str) -> None:
    assert contains_phrase(f"{rest} {word} {rest}", word)
