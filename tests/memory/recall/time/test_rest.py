from __future__ import annotations

from datetime import datetime

from hypothesis import given

from memory.retrieval.time_question import (
    AskedTime,
    asks_for_everything,
    parse_asked_time,
    without_time,
)
from tests.memory.dates.soup import moments, soups
from tests.memory.recall.time.questions import NOW

RESTS = [
    ("What did I do last week?", "What did I do?", True),
    ("what's on in May", "what's on", True),
    ("Yesterday, what did Ann do?", "what did Ann do?", False),
    ("yesterday?", "", True),
    ("what are my plans for tomorrow?", "what are my plans?", True),
    ("What happened in May?", "What happened?", True),
    ("what's due by Friday?", "what's due?", True),
    ("what did I tell you last week", "what did I tell you", True),
    ("what have you learned about me this week?", "what have you learned about me?", True),
    ("what did we discuss in yesterday's meeting", "what did we discuss in meeting", False),
    ("what's on today?", "what's on?", True),
    ("recap yesterday", "recap", True),
    ("who did I meet at the conference in May", "who did I meet at the conference", False),
    ("Before I moved, what was my job?", "what was my job?", False),
    ("where did I live before I moved?", "where did I live?", False),
    ("what did I buy last week", "what did I buy", False),
    ("on Friday at 3 pm what am I doing", "what am I doing", True),
    ("did I, last week, see Ann?", "did I, see Ann?", False),
]


def rest_of(question: str) -> str | None:
    asked = parse_asked_time(question, NOW)
    return None if asked is None else without_time(question, asked)


def test_what_remains_without_the_time() -> None:
    assert [
        (question, got) for question, rest, _ in RESTS if (got := rest_of(question)) != rest
    ] == []
    assert [
        rest for _, rest, everything in RESTS if asks_for_everything(rest) is not everything
    ] == []


FOR_EVERYTHING = [
    ("", True),
    ("?", True),
    ("What did I do", True),
    ("WHAT’S GOING ON", True),
    ("what is new", True),
    ("what did we do in Rome", False),
    ("who", True),
    ("dentist", False),
    ("which meetings do I have", False),
    ("42", False),
    ("什么", False),
]


def test_some_questions_name_no_topic() -> None:
    assert [
        (rest, got)
        for rest, everything in FOR_EVERYTHING
        if (got := asks_for_everything(rest)) is not everything
    ] == []


def test_words_that_are_not_there_leave_the_question_alone() -> None:
    asked = AskedTime(NOW, None, "since Easter", kind="after")
    assert without_time("what did I do?", asked) == "what did I do?"


@given(soups, moments)
def test_the_rest_is_made_of_the_question(text: str, now: datetime) -> None:
    asked = parse_asked_time(text, now)
    if asked is not None:
        rest = without_time(text, asked)
        assert len(rest) <= len(text)
        assert set(rest) <= set(text) | {" "}
        assert isinstance(asks_for_everything(rest), bool)
