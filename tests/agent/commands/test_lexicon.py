"""Yes, no and neither, where a question of Keepsake's is open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.commands.parser import NamedYes, is_for_good, parse_yes_no, prefers_older

YES = (
    *("yes", "Yes.", "y", "yep", "yep do it", "yeah", "sure", "ok", "Okay!", "do it", "go ahead"),
    *("yes please", "of course", "absolutely", "please do", "confirm", "yes thanks", "oh yes"),
    *("sure, go ahead", "Yes, I'm sure", "sounds good", "fine", "ok, do it", "right", "👍"),
    *("YES", "yup!", "yes yes", "that's right", "proceed", "go for it"),
    *("ja, bitte", "claro que sí", "oui, vas-y", "ja takk"),
)
NO = (
    *("no", "No!", "nope", "no thanks", "no thank you", "leave it", "keep both", "nah", "don't"),
    *("don’t do it", "cancel", "never mind", "not now", "no, leave it as it is", "keep it"),
    *("keep them", "rather not", "I'd rather not", "of course not", "absolutely not", "stop"),
    *("no, keep the old one", "ok, no", "no, don't", "please don't", "skip it", "👎", "oh no"),
    *("I changed my mind", "leave them alone", "no way", "keep them both please"),
    *("nein, lass es", "mejor no", "non merci", "nei"),
)
NEITHER = (
    *("", "maybe", "yes?", "no?", "what?", "yes and no", "yes, keep both", "I don't know"),
    *("yes I went to Rome yesterday", "no idea", "not sure", "which ones?", "thanks", "hmm"),
    *("yesterday was nice", "nothing", "not the second one", "show me first", "yesno"),
    *("please wait a bit", "no problem with my car today", "ok so what is the weather"),
    *("forget it", "ja und nein", "¿sí?", "sí pero cuándo"),
)
NAMED: dict[NamedYes, tuple[str, ...]] = {
    "forget it": ("delete it", "yes, forget them", "lösch das", "bórralo"),
    "erase all": ("yes, forget them all", "yes delete everything", "efface tout"),
    "replace it": ("yes, replace it", "update it", "change that", "bytt det"),
    "new one": ("the new one", "the second one", "die neue"),
}
OLD_ONE = (
    *("the old one", "No, keep the old one.", "The older one still holds"),
    "use the first one, please",
)
NOT_OLD_ONE = ("no", "the new one", "the old one was nicer", "the old one?", "")
FOR_GOOD = {
    "Forget that for good": True,
    "lösch das endgültig": True,
    "borra eso para siempre.": True,
    "forget that": False,
}


def test_yes_no_and_neither_in_any_language() -> None:
    for meant, words in ((True, YES), (False, NO), (None, NEITHER)):
        assert [said for said in words if parse_yes_no(said) is not meant] == [], meant


def test_a_yes_that_names_something_answers_only_what_asks_for_that() -> None:
    for asked, words in NAMED.items():
        others: list[NamedYes] = [each for each in NAMED if each != asked]
        assert [said for said in words if parse_yes_no(said, [asked]) is not True] == []
        assert [said for said in words if parse_yes_no(said, others) is not None] == []


@given(st.text(max_size=120))
def test_it_never_raises(said: str) -> None:
    assert parse_yes_no(said) in (True, False, None)


def test_the_old_one() -> None:
    assert [said for said in OLD_ONE if not prefers_older(said)] == []
    assert [said for said in NOT_OLD_ONE if prefers_older(said)] == []


def test_what_shall_not_come_back() -> None:
    assert {said: is_for_good(said) for said in FOR_GOOD} == FOR_GOOD
