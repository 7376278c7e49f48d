from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.query import (
    asked_speaker,
    asks_what_was_said,
    content_words,
    conversation_topic,
    restates_query,
)


def reading(query: str) -> tuple[str, str | None, bool]:
    """Its topic, whose words are asked for, and whether it asks what was said at all."""
    return conversation_topic(query), asked_speaker(query), asks_what_was_said(query)


ABOUT_WHAT_WAS_SAID: list[tuple[str, str, str | None]] = [
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
]


def test_what_was_said_is_asked_about_a_topic() -> None:
    assert [
        (query, got)
        for query, topic, speaker in ABOUT_WHAT_WAS_SAID
        if (got := reading(query)) != (topic, speaker, True)
    ] == []


OTHERS = [
    "Where does my cousin live?",
    "Who is your mother",
    "I told you about Oslo",
    "When I told her about Oslo she cried",
    "What did Maria say about Oslo?",
    "what did I say?",
    "What do I like?",
    "Did I pay the rent?",
    "",
]


def test_other_questions_are_their_own_topic() -> None:
    assert [
        (query, got) for query in OTHERS if (got := reading(query)) != (query, None, False)
    ] == []


@given(st.text(max_size=300))
def test_the_topic_is_the_end_of_what_was_asked(query: str) -> None:
    assert conversation_topic(query) == query or query.rstrip().endswith(conversation_topic(query))


RESTATED = [
    ("Who is your mother", "Who is your mother", True),
    ("who is your mother?", "Who is your mother", True),
    ("Did I ever mention Oslo?", "What did I say about Oslo?", True),
    ("Who is your creator", "Who is your mother", False),
    ("Who is your mother? Nyx is.", "Who is your mother", False),
    ("My mother is Nyx", "Who is my mother? Is it Nyx", False),
]


def test_what_only_asks_the_same_restates() -> None:
    assert [
        (content, query)
        for content, query, same in RESTATED
        if restates_query(content, query) is not same
    ] == []


def test_telling_words_are_those_that_carry_meaning() -> None:
    assert content_words("What is the capital of FRANCE?") == {"capital", "france"}
