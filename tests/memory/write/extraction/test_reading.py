from __future__ import annotations

import pytest

from memory.write.extraction.patterns import RULES
from memory.write.extraction.reading import read


def test_why_something_is_kept_can_be_seen() -> None:
    kept, refused = read("I live in Oslo and I'm tired today")
    assert kept.rule is not None
    assert (kept.rule.name, kept.refused) == ("home", None)
    assert (refused.rule, refused.refused) == (None, "over in a moment")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("If I lived in Paris, I would own a boat", "hypothetical"),
        ("Maybe I own a boat", "uncertain"),
        ("My friend says he hates cats", "reported speech"),
        ("The sign with “I own a boat” on it is old", "quoted"),
        ("I own a boat 😂", "a joke"),
        ("I own a boat, just kidding", "a joke"),
        ("I own a boat, but that's off the record", "not to be kept"),
        ("Imagine I own a boat", "fiction"),
        ("Translate this: I own a boat", "a text to work on"),
        ("I need help with my boat", "about this conversation"),
        ("I'm looking for a boat", "a request"),
        ("I'm on the train", "over in a moment"),
        ("I use Fedora and get an error when it boots", "in trouble with a program"),
        ("Do I own a boat?", "question"),
        ("Show me a boat", "command"),
        ("I work from home today", "temporary"),
        ("Boats are made of wood", "no rule"),
        ("I own " + "a boat and " * 60, "too long"),
    ],
)
def test_why_something_is_not_kept_can_be_seen(said: str, why: str) -> None:
    assert next(reading.refused for reading in read(said)) == why
    assert not any(reading.rule for reading in read(said))


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
