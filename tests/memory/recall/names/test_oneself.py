"""Questions about nobody but the one who asks."""

from __future__ import annotations

import pytest

from memory.retrieval.names import asks_of_oneself, compare_names, read_names, told_of_another

ANNA = "My sister Anna lives in Vienna and works as a nurse"


@pytest.mark.parametrize(
    "question",
    [
        "Where do I work?",
        "what is my job",
        "am I allergic to peanuts?",
        "how old am I?",
        "What's my favourite tea?",
        "where did I work before?",
    ],
)
def test_they_are_answered_by_nothing_that_is_told_of_others(question: str) -> None:
    told = [naming.stranger for naming in compare_names(question, [ANNA, "I work at a bakery"])]
    assert told == [True, False]


@pytest.mark.parametrize(
    "question",
    [
        "Do I have any family abroad?",
        "Who do I know in Vienna?",
        "What should I cook for my guests?",
        "Where does my sister work?",
        "Where does Anna work?",
        "What can I bring Anna?",
        "When did I become a widow?",
        "Where is the bakery?",
    ],
)
def test_others_may_be_meant_in_these(question: str) -> None:
    assert not asks_of_oneself(question, read_names(question))


@pytest.mark.parametrize(
    ("memory", "of_another"),
    [
        (ANNA, True),
        ("Tom works at the port", True),
        ("My brother Jon and I share a boat", False),
        ("Works at a bakery", False),
        ("My bike is green", False),
        ("I live with my sister Anna", False),
        ("", False),
    ],
)
def test_what_is_told_of_another(memory: str, of_another: bool) -> None:
    assert told_of_another(memory) is of_another
