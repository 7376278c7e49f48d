from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.extraction.shortcut import MAX_CHARS, preference_shortcut


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I prefer dark mode.", "I prefer dark mode"),
        ("i love hiking", "I love hiking"),
        ("I hate onions!", "I hate onions"),
        ("My favorite colour is green", "My favorite colour is green"),
        ("My favourite band is Radiohead", "My favourite band is Radiohead"),
        ("btw I don't like horror movies", "I don't like horror movies"),
        ("I enjoy cooking Thai food", "I enjoy cooking Thai food"),
        ("We like camping by the sea", "We like camping by the sea"),
        ("I like tea", "I like tea"),
    ],
)
def test_a_short_clear_preference_needs_no_model(said: str, kept: str) -> None:
    assert preference_shortcut(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "I love it!",
        "I like that",
        "I'd love that",
        "Would you like some tea?",
        "would you like to play",
        "I like where this is going",
        "I like that idea",
        "I love this answer",
        "I hate this bug",
        "I prefer option B",
        "I love you",
        "I'd like a recipe",
        "I would like to know more",
        "Do I like jazz?",
        "It looks like rain",
        "He hates onions",
        "I hate dogs, just kidding",
        "I love cats 😂",
        'She said "I love cats"',
        "Translate: I love cats",
        "If I were rich, I'd love sailing",
        "I love tea. I love coffee.",
        "I live in Oslo",
        "I'm vegan",
        "",
        "like",
    ],
)
def test_junk_with_a_keyword_is_refused(said: str) -> None:
    assert preference_shortcut(said) is None


def test_the_length_and_the_words_are_settings() -> None:
    said = "I prefer very long walks on the beach near the old town of Ghent"
    assert len(said) > MAX_CHARS
    assert preference_shortcut(said) is None
    assert preference_shortcut(said, max_chars=100) == said
    assert preference_shortcut("I avoid gluten", keywords=("avoid",)) == "I avoid gluten"
    assert preference_shortcut("I love tea", keywords=("avoid",)) is None
    assert preference_shortcut("I love tea", keywords=()) is None


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    kept = preference_shortcut(text)
    assert kept is None or 0 < len(kept) <= MAX_CHARS
