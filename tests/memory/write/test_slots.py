from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.slots import key_of, keys_of, slots_of
from memory.write.statements.slot import MAX_KEY_CHARS, Slot

PAIRS = json.loads(Path(__file__).with_name("pairs.json").read_text(encoding="utf-8"))

KEYS = {
    "i/home": [
        "I live in Oslo",
        "User lives in Oslo",
        "I moved to Bergen",
        "I've moved from Oslo to Bergen",
        "Oslo is where I live",
        "I used to live in Rome",
        "I don't live in Oslo any more",
    ],
    "maria/home": ["My sister Maria lives in Oslo", "Maria moved to Bergen"],
    "my sister/home": ["My sister lives in Oslo"],
    "i/age": ["I am 34", "I'm thirty-four", "I turned 35", "My age is 34"],
    "i/name": ["My name is Anna", "I'm called Anna"],
    "i/called": ["Call me Bob", "I go by Bob"],
    "i/work": [
        "I work at Equinor",
        "I'm a nurse",
        "I quit my job",
        "I'm retired",
        "I got a new job at DNB",
        "My job title is analyst",
    ],
    "i/partner": ["I'm dating Tom", "My wife is Anna", "Tom and I broke up", "I'm single"],
    "i/diet": ["I'm vegetarian", "I don't eat meat any more", "I love steak"],
    "i/phone": ["My phone number is 555", "My mobile number is 555"],
    "i/favourite:colour": ["My favourite colour is blue", "Blue is my favorite color"],
    "i/prefer:spac or tab": ["I prefer tabs over spaces", "I prefer spaces to tabs"],
    "i/sleep": ["I'm a night owl", "I'm an early bird"],
    "/time:appointment dentist": [
        "The dentist appointment is on Tuesday",
        "My dentist appointment was moved to Thursday",
    ],
    "i/do:smok": ["I smoke", "I quit smoking", "I don't smoke any more"],
    "i/do:go gym": ["I go to the gym every morning", "I stopped going to the gym"],
}


@pytest.mark.parametrize(
    ("key", "content"), [(key, text) for key, texts in KEYS.items() for text in texts]
)
def test_what_speaks_of_one_thing_has_one_key(key: str, content: str) -> None:
    assert keys_of(content)[0] == key


@pytest.mark.parametrize(
    "content",
    [
        "I lived in Rome in 2010",
        "I worked at IBM before",
        "I was ill last week",
        "My mother was a nurse",
        "",
        "…",
    ],
)
def test_what_is_over_fills_in_nothing(content: str) -> None:
    assert slots_of(content) == ()


@pytest.mark.parametrize(
    "content",
    [
        "I live in a small flat",
        "I moved to a new flat",
        "I moved to Obsidian",
        "I want to move to Bergen",
        "I'm visiting Bergen",
        "I was born in Bergen",
        "I have lived in many countries",
        "If I lived in Dublin, I would cycle",
    ],
)
def test_what_is_no_home_is_not_read_as_one(content: str) -> None:
    assert all(slot.name != "home" for slot in slots_of(content))


def test_a_change_a_denial_and_the_past_are_told() -> None:
    moved, left, used_to = (
        slots_of(content)[0]
        for content in (
            "I moved to Bergen",
            "I no longer live in Oslo",
            "I used to live in Rome",
        )
    )
    assert moved.outright and not moved.negated
    assert left.outright and left.negated and not left.history
    assert used_to.negated and used_to.history


def test_employer_and_job_share_a_key() -> None:
    slots = slots_of("I work at Equinor as a geologist")
    assert [(slot.aspect, slot.value) for slot in slots] == [
        ("employer", "equinor"),
        ("job", "geologist"),
    ]


def test_a_meeting_has_a_day_and_a_clock() -> None:
    slots = slots_of("The team meeting is on Monday at 15:00")
    assert {(slot.aspect, slot.value) for slot in slots} == {("day", "mon"), ("clock", "3:00 p.m.")}


def test_an_iso_date_names_its_weekday_too() -> None:
    slots = slots_of("The project deadline is 2026-12-01")
    assert {(slot.aspect, slot.value) for slot in slots} == {("date", "12-01"), ("day", "tue")}


def test_two_clauses_have_two_keys() -> None:
    assert keys_of("I moved to Bergen and now work at DNB") == ("i/home", "i/work")


def test_what_was_switched_from_is_looked_for() -> None:
    assert "i/do:use notion" in keys_of("I switched from Notion to Obsidian")


def test_a_long_key_is_cut_and_stays_its_own() -> None:
    long, other = Slot("x" * 300, "i", "1"), Slot("x" * 300 + "y", "i", "1")
    assert len(key_of(long)) == len(key_of(other)) == MAX_KEY_CHARS
    assert key_of(long) != key_of(other)


def test_most_contradictions_are_found_by_key_where_the_vectors_are_far_apart() -> None:
    far = [pair for pair in PAIRS if pair["decision"] == "replace" and pair["cosine"] < 0.3]
    met = [pair for pair in far if set(keys_of(pair["old"])[:1]) & set(keys_of(pair["new"]))]
    assert len(met) / len(far) >= 0.95


@given(st.text(max_size=700))
def test_a_key_is_short_whatever_is_said(content: str) -> None:
    assert all(0 < len(key) <= MAX_KEY_CHARS for key in keys_of(content))
