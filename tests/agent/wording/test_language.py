"""The language of a message, or of the conversation where it is too short to tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.wording.language import LANGUAGES, Language, spoken_in


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Where does my sister live?", "en"),
        ("Wo wohnt meine Schwester?", "de"),
        ("¿Dónde vive mi hermana?", "es"),
        ("Où habite ma sœur ?", "fr"),
        ("Hvor bor søsteren min?", "no"),
        ("vergiss das mit meiner schwester", "de"),
        ("olvida lo de mi hermana", "es"),
        ("oublie ça", "fr"),
    ],
)
def test_a_message_is_in_its_own_language(said: str, language: Language) -> None:
    assert spoken_in(said).after(None) == language
    assert spoken_in(said).after("en") == language


@pytest.mark.parametrize("said", ["ok", "👍", "42", "", "Oslo", "https://example.com/a?b=1"])
def test_what_tells_no_language_goes_on_in_that_of_the_conversation(said: str) -> None:
    assert spoken_in(said).after("fr") == "fr"


@pytest.mark.parametrize(
    "said",
    [
        "Мы переезжаем в понедельник, напомни мне",
        "Moja siostra mieszka w Krakowie od trzech lat",
        "Kız kardeşim üç yıldır Ankara'da yaşıyor",
        "אחותי גרה בתל אביב כבר שלוש שנים",
        "我妹妹住在上海",
    ],
)
def test_another_language_is_answered_in_english(said: str) -> None:
    assert spoken_in(said).after("de") == "en"


@given(st.text(max_size=3000))
def test_whatever_is_said_has_an_answer(said: str) -> None:
    assert spoken_in(said).after(None) in {None, *LANGUAGES}
