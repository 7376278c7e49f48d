"""Yes, no and neither, where a question of Keepsake's is open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands.parser import is_for_good, parse_yes_no, prefers_older


@pytest.mark.parametrize(
    "said",
    [
        *(
            "yes",
            "Yes.",
            "y",
            "yep",
            "yep do it",
            "yeah",
            "sure",
            "ok",
            "Okay!",
            "do it",
            "go ahead",
        ),
        *("yes please", "of course", "absolutely", "please do", "confirm", "yes, forget them all"),
        *("sure, go ahead", "Yes, I'm sure", "sounds good", "yes, replace it", "update it", "👍"),
        *("the new one", "yes thanks", "oh yes", "fine", "ok, do it", "right", "go for it"),
        *("yes delete everything", "YES", "yup!", "yes yes", "that's right", "proceed"),
    ],
)
def test_yes(said: str) -> None:
    assert parse_yes_no(said) is True


@pytest.mark.parametrize(
    "said",
    [
        *(
            "no",
            "No!",
            "nope",
            "no thanks",
            "no thank you",
            "leave it",
            "keep both",
            "nah",
            "don't",
        ),
        *("don’t do it", "cancel", "never mind", "not now", "no, leave it as it is", "keep it"),
        *("keep them", "rather not", "I'd rather not", "of course not", "absolutely not", "stop"),
        *("no, keep the old one", "ok, no", "no, don't", "please don't", "skip it", "👎", "oh no"),
        *("I changed my mind", "leave them alone", "no way", "keep them both please"),
    ],
)
def test_no(said: str) -> None:
    assert parse_yes_no(said) is False


@pytest.mark.parametrize(
    "said",
    [
        *("", "maybe", "yes?", "no?", "what?", "yes and no", "yes, keep both", "I don't know"),
        *("yes I went to Rome yesterday", "no idea", "not sure", "which ones?", "thanks", "hmm"),
        *(
            "yesterday was nice",
            "nothing",
            "not the second one",
            "show me first",
            "please wait a bit",
        ),
        *("no problem with my car today", "ok so what is the weather", "forget it", "yesno"),
    ],
)
def test_neither(said: str) -> None:
    assert parse_yes_no(said) is None


@given(st.text(max_size=120))
def test_it_never_raises(said: str) -> None:
    assert parse_yes_no(said) in (True, False, None)


@pytest.mark.parametrize(
    "said",
    [
        "the old one",
        "No, keep the old one.",
        "The older one still holds",
        "use the first one, please",
    ],
)
def test_the_old_one(said: str) -> None:
    assert prefers_older(said)


@pytest.mark.parametrize("said", ["no", "the new one", "the old one was nicer", "the old one?", ""])
def test_not_the_old_one(said: str) -> None:
    assert not prefers_older(said)


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        *(("ja, bitte", True), ("claro que sí", True), ("oui, vas-y", True), ("ja takk", True)),
        *(("nein, lass es", False), ("mejor no", False), ("non merci", False), ("nei", False)),
        *(("no", False), ("ja und nein", None), ("¿sí?", None), ("sí pero cuándo", None)),
    ],
)
def test_answers_in_other_languages(said: str, yes: bool | None) -> None:
    assert parse_yes_no(said) is yes


@pytest.mark.parametrize(
    ("said", "for_good"),
    [
        *(("Forget that for good", True), ("lösch das endgültig", True), ("forget that", False)),
        ("borra eso para siempre.", True),
    ],
)
def test_what_shall_not_come_back(said: str, for_good: bool) -> None:
    assert is_for_good(said) is for_good
