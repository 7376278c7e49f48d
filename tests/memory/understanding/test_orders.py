"""What the offline reader takes for a command, and what it is about."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.text import readable
from memory.understanding import Message, OfflineReader, Order

READER = OfflineReader()
PIECES = ["go incognito", ". ", "remember that I ski", ", ", "undo that", "\n", "“", "”", " and "]


def orders(text: str) -> tuple[Order, ...]:
    return READER.read(Message(text, datetime(2026, 5, 4, tzinfo=UTC))).orders


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *(("go incognito", "incognito_on"), ("Inkognito beenden", "incognito_off")),
        *(("slå av minnet", "memory_off"), ("Desactiva la memoria, por favor", "memory_off")),
        *(("¿qué sabes de mí?", "list"), ("exporter dataene mine", "export")),
        *(("delete everything you know about me", "erase_me"), ("undo that", "undo")),
    ],
)
def test_a_command_is_heard_in_five_languages(text: str, name: str) -> None:
    assert [each.name for each in orders(text)] == [name]


@pytest.mark.parametrize(
    "text",
    [
        *("", "I always forget birthdays", "how do I go incognito in Chrome?"),
        "Translate this for me: “delete everything you know about me, please”",
        "Was weißt du über den Dreißigjährigen Krieg?",
        "```\nundo that\n```",
    ],
)
def test_talk_that_looks_like_one_is_none(text: str) -> None:
    assert orders(text) == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Remember that I prefer tea over coffee", "I prefer tea over coffee"),
        ("please remember: the boiler is a Vaillant", "the boiler is a Vaillant"),
        ("Merk dir, dass ich keinen Koriander mag", "ich keinen Koriander mag"),
        ("remember that", None),
    ],
)
def test_the_words_to_keep(text: str, kept: str | None) -> None:
    assert [(each.name, each.object) for each in orders(text)] == [("remember", kept)]


def test_an_edit_is_heard_also_where_its_words_are_not() -> None:
    [edit] = orders("Change Monday to Friday in your notes.")
    assert edit.name == "edit"


def test_several_are_heard_in_their_order() -> None:
    told = orders("Remember that I live in Oslo. Turn memory off. Then export my data.")
    assert [each.name for each in told] == ["remember", "memory_off", "export"]


def test_two_things_to_keep_are_two_commands() -> None:
    told = orders("Remember that I ski. Remember that my sister sings in a choir.")
    assert [each.name for each in told] == ["remember", "remember"]
    assert "ski" in (told[0].object or "")
    assert "choir" in (told[1].object or "")


def test_an_address_in_what_is_to_be_kept_is_kept_whole() -> None:
    address = "https://example.org/plans/2026/garden-shed?version=31207766&signed=no"
    [told] = orders(f"Remember that the plans of the shed are at {address}")
    assert told.name == "remember"
    assert (told.object or "").endswith(address)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_each_lies_in_the_text_and_none_over_another(text: str) -> None:
    told = orders(text)
    for each in told:
        assert readable(text)[each.start : each.end] == each.text
        for words in (each.object, each.old, each.new):
            assert words is None or words in each.text
    assert all(one.end <= other.start for one, other in pairwise(told))
