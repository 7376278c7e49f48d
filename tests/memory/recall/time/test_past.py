from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.time_past import asks_about_past
from tests.memory.dates.soup import soups

PAST = [
    "where did I live before?",
    "Where did I live before that",
    "where did I live?",
    "what did I use to drive",
    "did we used to live in Oslo",
    "I used to have a dog, what was it called",
    "my old job",
    "what was my old phone number",
    "what's Maria's old address",
    "previous phone number",
    "my former boss",
    "what's my ex-boss called",
    "what was my last job",
    "what was my original plan",
    "what was my phone number earlier?",
    "who was my boss before Tom left?",
    "before I moved",
    "where did I live before I moved",
    "Before I moved, what was my job?",
    "what did you know as of 2024",
    "what do you know as of 1 March 2026",
    "what did you know about me in May 2024?",
    "formerly, what did I eat",
    "which car did I drive previously",
    "where did I live in 2020?",
    "what was my salary last year?",
    "what car did I have in 2018",
    "where have I lived?",
    "which cars have I owned",
    "what did I eat in the past",
    "what did I think at first",
    "what did I switch from when I bought the Mac",
    "what did I like when I was living in Oslo",
    "which job did I have before that?",
    "what was the deadline originally",
    "Which city did I live in before Berlin?",
]
PRESENT = [
    "",
    "what did I buy last week",
    "where did I meet Ann",
    "where was I born",
    "What did I do yesterday?",
    "what happened in 2019",
    "what happened before I moved",
    "who did I meet at the conference in May",
    "what did I tell you before",
    "what did I say earlier",
    "what was the previous meeting about",
    "what was the last meeting about",
    "what's my last name",
    "my last doctor's appointment",
    "who is my oldest friend",
    "who is my old friend from school",
    "how old is my cat",
    "how old am I",
    "am I used to cold weather",
    "I'm used to running every day",
    "what kind of food am I used to?",
    "how much was my tax return for 2019?",
    "what happened in the past week",
    "have I been to Rome before?",
    "how long have I lived here",
    "what is my current job",
    "where do I live",
    "what am I doing next week",
    "what do I do before I go to bed",
    "what do you know as of now",
    "where am I originally from",
    "what did I have for lunch yesterday",
    "where did I work on the report",
    "what did I name my cat",
]


def test_what_was_true_before_is_wanted() -> None:
    assert [question for question in PAST if not asks_about_past(question)] == []


def test_not_every_past_tense_asks_for_what_was_replaced() -> None:
    assert [question for question in PRESENT if asks_about_past(question)] == []


@given(soups | st.text(max_size=80))
def test_any_text_has_an_answer(text: str) -> None:
    assert asks_about_past(text) in (True, False)
