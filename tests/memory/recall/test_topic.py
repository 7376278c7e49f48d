"""Questions for all that is known of one thing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.query import find_whole_topic

TOPICS = [
    ("What do you know about Anna?", "Anna"),
    ("tell me everything about the boat", "the boat"),
    ("Hey, can you tell me all you know about my sister Anna?", "my sister Anna"),
    ("Anything about the car?", "the car"),
    ("everything about Matías", "Matías"),
    ("What have I noted down about the new car?", "the new car"),
    ("Remind me about Tom", "Tom"),
]


def test_a_question_for_everything_names_its_topic() -> None:
    assert [
        (question, got)
        for question, topic in TOPICS
        if (got := find_whole_topic(question)) != topic
    ] == []


NO_TOPICS = [
    "What does Anna think about boats?",
    "Tell me a joke about cats and dogs who live in Paris with me",
    "What do you know?",
    "I know nothing about Anna",
    "What do I know about the way Tom repairs his old bikes?",
    "How about Anna?",
    "",
]


def test_a_question_for_something_of_it_does_not() -> None:
    assert [
        (question, got) for question in NO_TOPICS if (got := find_whole_topic(question)) is not None
    ] == []


@given(st.text(max_size=400))
def test_the_topic_is_words_of_the_question(text: str) -> None:
    topic = find_whole_topic(text)
    assert topic is None or topic in text
