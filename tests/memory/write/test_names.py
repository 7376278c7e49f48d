from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.metadata import find_entities

NAMED = [
    ("My sister Maria lives in Oslo", ["Maria", "Oslo"]),
    ("Maria, my sister, lives in Oslo", ["Maria", "Oslo"]),
    ("In Oslo I met Anna and Tom. Anna likes tea.", ["Oslo", "Anna", "Tom"]),
    ("Biscuit is my dog", ["Biscuit"]),
    ("User lives in New York City.", ["New York City"]),
    ("Dr. Hansen works at the University of Oslo", ["Dr. Hansen", "University of Oslo"]),
    ("My wife's name is Sarah O'Connor", ["Sarah O'Connor"]),
    ("Maria's birthday is on 3 March", ["Maria"]),
    ("My boss, Lena, hates Jira", ["Lena", "Jira"]),
    ("I read The Lord of the Rings", ["The Lord of the Rings"]),
    ("Visit Rome with Maria", ["Rome", "Maria"]),
    ("We use GitHub Actions and an iPhone", ["GitHub Actions", "iPhone"]),
    ("Carlos lives in Paris", ["Carlos", "Paris"]),
]


def test_names_are_runs_of_capitalised_words() -> None:
    assert [(text, got) for text, names in NAMED if (got := find_entities(text)) != names] == []


NAMELESS = [
    "I am tired",
    "I'm allergic to nuts, I think",
    "Peanuts give me a rash",
    "Running is fun",
    "Never deploy on Fridays",
    "User prefers tea",
    "On Monday in May",
    "STOP SHOUTING AT ME",
    "My dog is old. The cat is not.",
    "",
]


def test_a_capital_alone_is_no_name() -> None:
    assert [(text, got) for text in NAMELESS if (got := find_entities(text))] == []


def test_the_first_word_counts_when_it_is_capitalised_elsewhere() -> None:
    assert find_entities("Running is fun. They call it Running.") == ["Running"]


@given(st.text(max_size=200) | st.text("Aa .'’&of-", max_size=60))
def test_names_stand_in_the_text_once(text: str) -> None:
    names = find_entities(text)
    assert len(names) == len(set(names))
    assert all(name in text and name.isprintable() and len(name) > 1 for name in names)
