"""Which questions want what was true before, and may have been replaced since."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.understanding.past_questions import asks_about_past
from tests.memory.dates.soup import soups

BEFORE = [
    "where did I live before?",
    "did we used to live in Oslo",
    "I used to have a dog, what was it called",
    "what was my old phone number",
    "what was my phone number earlier?",
    "who was my boss before Tom left?",
    "where did I live before I moved",
    "which car did I drive previously",
    "where did I live in 2020?",
    "Which city did I live in before Berlin?",
    "Wo habe ich früher gewohnt?",
    "Was habe ich vorher an Miete gezahlt?",
    "¿Dónde trabajaba antes?",
    "¿Quién era mi dentista antes?",
    "Où est-ce que j'habitais avant ?",
    "Combien je payais avant pour le garage ?",
    "Hvor jobbet jeg før?",
    "Hvem var fastlegen min tidligere?",
]
NOT_BEFORE = [
    "",
    "where do I live",
    "what is my current job",
    "who is my dentist?",
    "what did I buy last week",
    "where did I meet Ann",
    "What did I do yesterday?",
    "who did I meet at the conference in May",
    "what was the last meeting about",
    "what's my last name",
    "how old is my cat",
    "am I used to cold weather",
    "what am I doing next week",
    "what did I have for lunch yesterday",
    "Wo wohne ich?",
    "Was macht mein Bruder beruflich?",
    "¿Cuándo es mi cita con la dentista?",
    "¿A qué soy alérgico?",
    "Où habite ma sœur ?",
    "Quand est mon rendez-vous ?",
    "Hvor jobber søsteren min?",
    "Når er tannlegetimen?",
]


def test_what_was_true_before_is_wanted() -> None:
    assert [question for question in BEFORE if not asks_about_past(question)] == []


def test_what_is_so_now_and_what_stays_true_is_not_before() -> None:
    assert [question for question in NOT_BEFORE if asks_about_past(question)] == []


@given(soups | st.text(max_size=80))
def test_any_text_has_an_answer(text: str) -> None:
    assert asks_about_past(text) in (True, False)
