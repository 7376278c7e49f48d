from __future__ import annotations

import pytest

from agent.plain_words.perhaps import names_what_was_said, perhaps_forget


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("forget about sushi", "sushi"),
        ("Forget everything about stamps.", "stamps"),
        ("can you forget about the dog?", "the dog"),
        ("delete the sushi memory", "the sushi"),
        ("please erase sushi", "sushi"),
    ],
)
def test_what_may_be_a_forgetting_names_its_object(said: str, about: str) -> None:
    command = perhaps_forget(said)
    assert command is not None
    assert (command.name, command.about) == ("forget", about)


@pytest.mark.parametrize(
    "said",
    [
        "forget about it",
        "forget it, let's talk about dinner",
        "I want to forget my ex",
        "don't forget to buy milk",
        "he said: forget about sushi",
        "",
    ],
)
def test_talk_is_not_even_perhaps_one(said: str) -> None:
    assert perhaps_forget(said) is None


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("forget about sushi", True),
        ("can you forget everything about my affair?", True),
        ("forget about the tests", False),
        ("forget about them", False),
        ("delete the file", False),
        ("erase sushi", False),
        ("", False),
    ],
)
def test_past_talk_is_only_meant_where_it_is_named(said: str, names: bool) -> None:
    assert names_what_was_said(said) is names
