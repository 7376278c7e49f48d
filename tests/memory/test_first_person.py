from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memory.text import to_first_person

NOTES = [
    ("User prefers uv over pip", "I prefer uv over pip"),
    ("The user prefers tea", "I prefer tea"),
    ("the user's dog is called Rex", "my dog is called Rex"),
    ("User’s birthday is 3 May", "my birthday is 3 May"),
    ("User is allergic to nuts", "I am allergic to nuts"),
    ("User has two cats", "I have two cats"),
    ("User does yoga", "I do yoga"),
    ("User was born in Lyon", "I was born in Lyon"),
    ("User goes to bed early", "I go to bed early"),
    ("user always carries an umbrella", "I always carry an umbrella"),
    ("User usually watches films", "I usually watch films"),
    ("User misses the sea", "I miss the sea"),
    ("User fixes bikes", "I fix bikes"),
    ("User ties flies", "I tie flies"),
    ("User never lies to the user's mother", "I never lie to my mother"),
    ("User decided to move", "I decided to move"),
    ("User doesn't like fish", "I don't like fish"),
]


def test_a_note_about_the_user_is_turned_to_the_first_person() -> None:
    assert [
        (text, got)
        for text, mine in NOTES
        if (got := to_first_person(text)).casefold() != mine.casefold()
    ] == []


OTHERS = [
    "",
    "User",
    "I prefer uv",
    "Users prefer short forms",
    "Anna is a user of uv",
    "superuser rights are needed",
    "User stories are written on Mondays",
    "User ID is 42",
    "The cat sleeps on the user",
]


def test_other_texts_are_left_alone() -> None:
    assert [(text, got) for text in OTHERS if (got := to_first_person(text)) != text] == []


@given(st.text(min_size=1) | st.text(st.sampled_from("user sthe's ’xo"), min_size=1))
@example("User s")
@example("the user's")
def test_a_text_never_becomes_empty(text: str) -> None:
    assert to_first_person(text)
    if "user" not in text.casefold():
        assert to_first_person(text) == text
