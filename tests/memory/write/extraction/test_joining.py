from __future__ import annotations

import pytest

from memory.write.extraction.reading import read


def kept(text: str) -> list[str]:
    return [each.clause for each in read(text) if each.rule]


@pytest.mark.parametrize(
    "sentence",
    [
        "I sold the Volvo, I only cycle now",
        "I quit the bakery and now I work at a bookshop",
        "I don't use Vim any more, I prefer Helix now",
        "I own an allotment by the station, and I grow beans there",
        "Don't suggest recipes with nuts, my son is allergic to them",
        "My grandfather Anselm is 91 and lives in a care home",
        "My best friend Ada is getting married in October and I'm her maid of honour",
        "On 27 June our club has its summer party and I'm in charge of the grill",
        "I switched banks, I'm with Triodos now",
        "My brother Idris retired, he isn't a pilot any more",
    ],
)
def test_what_says_half_alone_is_kept_whole(sentence: str) -> None:
    assert kept(sentence) == [sentence]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("I'm a nurse and I have two cats", ["I'm a nurse", "I have two cats"]),
        ("I'm 34 and I grew up in Harare", ["I'm 34", "I grew up in Harare"]),
        ("I live in Oslo and I'm tired today", ["I live in Oslo"]),
        ("I live in Oslo, can you find a map of it?", ["I live in Oslo"]),
        ("I love tea and my sister plays chess", ["I love tea", "My sister plays chess"]),
        ("I have two cats and my wife has a dog", ["I have two cats", "My wife has a dog"]),
        ("I'm vegan and allergic to nuts", ["I'm vegan", "I'm allergic to nuts"]),
        ("I own a boat and I work at DNB", ["I own a boat", "I work at DNB"]),
        ("I speak Greek and I'm married", ["I speak Greek", "I'm married"]),
        ("I hate olives but I love capers", ["I hate olives", "I love capers"]),
    ],
)
def test_two_things_are_kept_apart(sentence: str, parts: list[str]) -> None:
    assert kept(sentence) == parts


@pytest.mark.parametrize(
    ("said", "as_kept"),
    [
        ("I have a dog, his name is Moss", "I have a dog named Moss"),
        ("I've got a boyfriend now, his name is Milan", "I've got a boyfriend named Milan now"),
        ("Ines, my wife, is a judge", "My wife Ines is a judge"),
    ],
)
def test_a_name_comes_with_its_bearer(said: str, as_kept: str) -> None:
    assert kept(said) == [as_kept]
