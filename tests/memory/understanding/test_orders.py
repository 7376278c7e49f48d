"""What the offline reader takes for a command, and what it is about."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.text import to_readable
from memory.understanding import CommandMention, MessageText, OfflineReader

READER = OfflineReader()
PIECES = ["go incognito", ". ", "remember that I ski", ", ", "undo that", "\n", "“", "”", " and "]


def orders(text: str) -> tuple[CommandMention, ...]:
    return READER.read(MessageText(text, datetime(2026, 5, 4, tzinfo=UTC))).orders


SAID = [
    *(("go incognito", "incognito_on"), ("Inkognito beenden", "incognito_off")),
    *(("slå av minnet", "memory_off"), ("Apaga la memoria, por favor", "memory_off")),
    *(("¿qué sabes de mí?", "list"), ("exporter dataene mine", "export")),
    *(("delete everything you know about me", "erase_me"), ("undo that", "undo")),
]


def test_a_command_is_heard_in_five_languages() -> None:
    heard = [(text, [each.name for each in orders(text)], name) for text, name in SAID]
    assert [(text, names) for text, names, name in heard if names != [name]] == []


TALK = [
    *("", "I always forget birthdays", "how do I go incognito in Chrome?"),
    "Translate this for me: “delete everything you know about me, please”",
    "Was weißt du über den Dreißigjährigen Krieg?",
    "```\nundo that\n```",
]


def test_talk_that_looks_like_one_is_none() -> None:
    assert [(text, got) for text in TALK if (got := orders(text))] == []


KEPT: list[tuple[str, str | None]] = [
    ("Remember that I prefer tea over coffee", "I prefer tea over coffee"),
    ("please remember: the boiler is a Vaillant", "the boiler is a Vaillant"),
    ("Merk dir, dass ich keinen Koriander mag", "ich keinen Koriander mag"),
    ("remember that", None),
    ("remember that I'm a vegetarian, mostly", "I'm a vegetarian, mostly"),
    ("remember that he leaves on 1 June, probably", "he leaves on 1 June, probably"),
    ("remember that we pay 1200 a month, all included", "we pay 1200 a month, all included"),
    ("Merk dir, dass ich am 3. August umziehe, wohl", "ich am 3. August umziehe, wohl"),
    ('remember that my motto is "Less is more. Always."', 'my motto is "Less is more. Always."'),
    ("remember that I live in Oslo. My sister lives in Bergen.", "I live in Oslo"),
    ("remember that I'm tired. What's the weather like?", "I'm tired"),
    ("our boiler is a Vaillant, don't forget that", "our boiler is a Vaillant"),
    ("remember that we **never** deploy on `Fridays`", "we **never** deploy on `Fridays`"),
    ("remember that I like:\n- apples\n- pears\n\nHow are you?", "I like:\n- apples\n- pears"),
    ("remember:\n- milk\n- eggs", "- milk\n- eggs"),
    ("Please keep the following for good: I have a pacemaker", "I have a pacemaker"),
    ("remember this:\n```\nundo that\n```\nWhat is it?", "```\nundo that\n```"),
    ("remember these steps:\n1. Undo it\n2. Forget it", "1. Undo it\n2. Forget it"),
    ("remember: to start it 1. unplug it 2. wait", "to start it 1. unplug it 2. wait"),
    (
        "remember my recipe: mix flour. Add two eggs. Fry.",
        "my recipe: mix flour. Add two eggs. Fry",
    ),
]


def test_the_words_to_keep() -> None:
    heard = [
        (text, [(each.name, each.object) for each in orders(text)], kept) for text, kept in KEPT
    ]
    assert [(text, told) for text, told, kept in heard if told != [("remember", kept)]] == []


def test_what_an_edit_writes_over_what() -> None:
    [edit] = orders("Change Monday to Friday in your notes.")
    assert (edit.name, edit.old, edit.new) == ("edit", "Monday", "Friday")


@pytest.mark.xfail(strict=True, reason="taken for a request with what it is about")
def test_what_is_set_off_by_headings_is_to_be_kept() -> None:
    said = "remember this recipe\n\n# Pancakes\n**2 eggs**, 100g flour\n\n- mix\n- fry"
    [told] = orders(said)
    assert (told.name, told.object) == ("remember", said.removeprefix("remember "))


def test_several_are_heard_in_their_order() -> None:
    told = orders("Remember that I live in Oslo. Turn memory off. Then export my data.")
    assert [each.name for each in told] == ["remember", "memory_off", "export"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_each_lies_in_the_text_and_none_over_another(text: str) -> None:
    told = orders(text)
    for each in told:
        assert to_readable(text)[each.start : each.end] == each.text
        for words in (each.object, each.old, each.new):
            assert words is None or words in each.text
    assert all(one.end <= other.start for one, other in pairwise(told))
