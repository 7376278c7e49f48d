from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memory.actions.forgetting.redaction import (
    FORGOTTEN_MARK,
    SentenceMatcher,
    contains_memory,
    redact_about,
    split_into_sentences,
)

WORD = st.text("abcdefgåøß'", min_size=1, max_size=8)
SENTENCE = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
TEXT = st.lists(st.tuples(SENTENCE, st.sampled_from([". ", "! ", "\n", "… ", ", ", "。"]))).map(
    lambda parts: "".join(sentence + end for sentence, end in parts)
)


@given(TEXT, SENTENCE, st.booleans())
def test_the_memory_is_never_left(message: str, content: str, closely: bool) -> None:
    assert not contains_memory(redact_about(message, content, closely=closely), content)


@given(TEXT, TEXT, SENTENCE)
@example("", "", "forgotten")
@example("Mr. ", "", "a b. c d")
def test_the_memory_within_a_message_is_never_left(before: str, after: str, content: str) -> None:
    assume(any(map(str.isalnum, content)))
    message = f"{before} {content} {after}"
    assert contains_memory(message, content)
    left = redact_about(message, content)
    assert not contains_memory(left, content)
    assert content not in left or content in FORGOTTEN_MARK or len(content) < 12


@given(st.text(), st.text(), st.booleans())
def test_any_text_is_taken(message: str, content: str, closely: bool) -> None:
    left = redact_about(message, content, closely=closely)
    assert not contains_memory(left, content)


@given(TEXT, SENTENCE)
def test_a_second_time_changes_nothing(message: str, content: str) -> None:
    once = redact_about(message, content)
    assert redact_about(once, content) == once


@given(TEXT)
def test_a_memory_of_other_words_leaves_the_message(message: str) -> None:
    assert redact_about(message, "User moved to Trondheim in March") == message


REPLACED = [
    ("I live in Oslo.", "[forgotten]"),
    ("Hi! I live in OSLO, you know. Bye.", "Hi! [forgotten] Bye."),
    ("So you live in Oslo?\nNice.", "[forgotten]\nNice."),
    ("I live in Oslo. We both live in Oslo. Bye.", "[forgotten] Bye."),
    ("I was living in Oslo then", "[forgotten]"),
    ("I live in Bergen.", "I live in Bergen."),
    ("Oslo is the capital of Norway.", "Oslo is the capital of Norway."),
    ("", ""),
]


def test_the_sentences_about_it_are_replaced() -> None:
    content = "User lives in Oslo"
    assert [
        (message, got)
        for message, left in REPLACED
        if (got := redact_about(message, content)) != left
    ] == []


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Oslo is lovely. Shall we?", "[forgotten] Shall we?"),
        ("In Oslo.", "[forgotten]"),
        ("Maria is nice. Hello.", "[forgotten] Hello."),
        ("Hello.", "Hello."),
    ],
)
def test_less_is_enough_where_the_message_belongs_to_it(message: str, left: str) -> None:
    assert redact_about(message, "User's sister Maria lives in Oslo", closely=True) == left


def test_of_a_memory_of_several_sentences_each_counts() -> None:
    content = "User lives in Oslo. User's dog Rex is five."
    assert redact_about("My dog Rex is five. I like tea.", content) == "[forgotten] I like tea."


def test_a_memory_over_several_sentences_takes_the_message() -> None:
    content = "Ask me. Every day"
    assert not contains_memory(redact_about("Do ask me. Every day, please.", content), content)


def test_a_short_memory_within_a_word_is_not_meant() -> None:
    assert not contains_memory("concatenate", "cat")
    assert contains_memory("The cat sat.", "cat")
    assert contains_memory("they drink teas", "I drink tea") is False
    assert SentenceMatcher("cat").tells("a cat!")


def test_sentences_end_at_stops_and_lines() -> None:
    assert split_into_sentences("One. Two?\nThree") == ["One.", "Two?", "Three"]
