from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.extraction.wording import as_kept, in_one_spelling, without_fillers


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("i think im here", "I think I'm here"),
        ("I’ve a dog, dont you", "I've a dog, don't you"),
        ("i.e. this/i", "i.e. this/i"),
        ("the letter ı or ſ", "the letter ı or ſ"),
    ],
)
def test_one_spelling(typed: str, spelled: str) -> None:
    assert in_one_spelling(typed) == spelled


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Oh and by the way, I have two cats", "I have two cats"),
        ("Well, actually, I live in Oslo, to be honest.", "I live in Oslo"),
        ("- No, I live in Oslo", "I live in Oslo"),
        ("No meetings before 10", "No meetings before 10"),
        ("Remember that I'm vegan", "I'm vegan"),
        ("Thanks!", "Thanks!"),
    ],
)
def test_fillers_are_left_out(said: str, left: str) -> None:
    assert without_fillers(said) == left


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (" my dog  is old. ", "My dog is old"),
        ("I love hiking 🥾!", "I love hiking"),
        ("iPhones are mine", "IPhones are mine"),
        ("I pay 5 €.", "I pay 5 €"),
        ("...", ""),
    ],
)
def test_how_it_is_kept(said: str, kept: str) -> None:
    assert as_kept(said) == kept


@given(st.text(max_size=100))
def test_what_is_kept_stays_as_it_is(text: str) -> None:
    once = as_kept(text)
    assert as_kept(once) == once
