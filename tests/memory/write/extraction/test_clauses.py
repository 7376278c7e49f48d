from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.extraction.clauses import split_clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I'm a nurse and I have two cats", ["I'm a nurse", "I have two cats"]),
        ("I live here; my wife works in Rome", ["I live here", "my wife works in Rome"]),
        ("My wife and I live in Rome", ["My wife and I live in Rome"]),
        ("I love my job and hate my boss", ["I love my job", "I hate my boss"]),
        ("I want to learn Go and use it", ["I want to learn Go and use it"]),
        ("I'm vegan and allergic to nuts", ["I'm vegan", "I'm allergic to nuts"]),
        ("My son Emil is 7 and plays chess", ["My son Emil is 7", "My son Emil plays chess"]),
        ("If it rains, I take the bus", ["If it rains, I take the bus"]),
        ("I'm vegan, what can I eat?", ["I'm vegan", "what can I eat?"]),
        ("Because I'm vegan, I skip milk", ["I'm vegan", "I skip milk"]),
        ("When you cook, keep in mind that I'm vegan", ["I'm vegan"]),
        ("My sister, who is a nurse, lives here", ["My sister, who is a nurse, lives here"]),
    ],
)
def test_what_a_sentence_says(sentence: str, clauses: list[str]) -> None:
    assert split_clauses(sentence) == clauses


WORDS = [
    "I",
    "my",
    "sister",
    "and",
    "but",
    ",",
    ";",
    "was",
    "has",
    "am",
    "a",
    "cat",
    "like",
    "?",
    "'m",
]


@given(st.lists(st.sampled_from(WORDS)))
def test_no_sentence_breaks_it(words: list[str]) -> None:
    assert split_clauses(" ".join(words))
