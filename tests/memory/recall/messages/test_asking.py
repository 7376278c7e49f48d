from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.query import (
    asked_speaker,
    asks_what_was_said,
    content_words,
    conversation_topic,
    restates_query,
)


@pytest.mark.parametrize(
    ("query", "topic", "speaker"),
    [
        ("What did I say about Oslo?", "Oslo?", "user"),
        ("did I ever mention a dentist?", "a dentist?", "user"),
        ("When did we talk about my knee", "my knee", None),
        ("have I already told you about my cousin", "my cousin", "user"),
        ("What did you recommend for dinner?", "for dinner?", "assistant"),
        ("remind me what I said about tea", "tea", "user"),
        ("do you remember what I said about tea?", "tea?", "user"),
        ("What was it I said about tea?", "tea?", "user"),
        ("have I ever mentioned that I like tea?", "I like tea?", "user"),
        ("ok, and when did I last talk to you about the roof?", "the roof?", "user"),
    ],
)
def test_what_was_said_is_asked_about_a_topic(query: str, topic: str, speaker: str | None) -> None:
    assert (conversation_topic(query), asked_speaker(query)) == (topic, speaker)
    assert asks_what_was_said(query)


@pytest.mark.parametrize(
    "query",
    [
        "Where does my cousin live?",
        "Who is your mother",
        "I told you about Oslo",
        "When I told her about Oslo she cried",
        "What did Maria say about Oslo?",
        "what did I say?",
        "What do I like?",
        "Did I pay the rent?",
        "",
    ],
)
def test_other_questions_are_their_own_topic(query: str) -> None:
    assert (conversation_topic(query), asked_speaker(query)) == (query, None)
    assert not asks_what_was_said(query)


@given(st.text(max_size=300))
def test_the_topic_is_the_end_of_what_was_asked(query: str) -> None:
    assert conversation_topic(query) == query or query.rstrip().endswith(conversation_topic(query))


@pytest.mark.parametrize("repeated", ["so ", "please ", "can you tell me ", "did I ", "ever "])
def test_a_long_run_takes_no_time(repeated: str) -> None:
    query = repeated * 2_000
    assert conversation_topic(query)


@pytest.mark.parametrize(
    ("content", "query", "same"),
    [
        ("Who is your mother", "Who is your mother", True),
        ("who is your mother?", "Who is your mother", True),
        ("Did I ever mention Oslo?", "What did I say about Oslo?", True),
        ("Who is your creator", "Who is your mother", False),
        ("Who is your mother? Nyx is.", "Who is your mother", False),
        ("My mother is Nyx", "Who is my mother? Is it Nyx", False),
    ],
)
def test_what_only_asks_the_same_restates(content: str, query: str, same: bool) -> None:
    assert restates_query(content, query) is same


def test_telling_words_are_those_that_carry_meaning() -> None:
    assert content_words("What is the capital of FRANCE?") == {"capital", "france"}
