"""Questions about nobody but the one who asks."""

from __future__ import annotations

from memory.retrieval.names import asks_of_oneself, find_strangers, read_names, told_of_another

ANNA = "My sister Anna lives in Vienna and works as a nurse"


OF_ONESELF = [
    "Where do I work?",
    "what is my job",
    "am I allergic to peanuts?",
    "how old am I?",
    "What's my favourite tea?",
    "where did I work before?",
]


def test_they_are_answered_by_nothing_that_is_told_of_others() -> None:
    memories = [ANNA, "I work at a bakery"]
    assert [
        (question, strangers)
        for question in OF_ONESELF
        if (strangers := find_strangers(question, memories)) != [True, False]
    ] == []


OF_OTHERS = [
    "Do I have any family abroad?",
    "Who do I know in Vienna?",
    "What should I cook for my guests?",
    "Where does my sister work?",
    "Where does Anna work?",
    "What can I bring Anna?",
    "When did I become a widow?",
    "Where is the bakery?",
]


def test_others_may_be_meant_in_these() -> None:
    assert [each for each in OF_OTHERS if asks_of_oneself(each, read_names(each))] == []


TOLD = [
    (ANNA, True),
    ("Tom works at the port", True),
    ("My brother Jon and I share a boat", False),
    ("Works at a bakery", False),
    ("My bike is green", False),
    ("I live with my sister Anna", False),
    ("", False),
]


def test_what_is_told_of_another() -> None:
    assert [
        (memory, got)
        for memory, of_another in TOLD
        if (got := told_of_another(memory)) is not of_another
    ] == []
