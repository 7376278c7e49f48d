from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.metadata import CALENDAR, FUNCTION, GENERIC, extract_keyphrases, to_tag

TOPICS = ["cello", "oak", "tree", "peanut", "garden", "orchestra"]
BETWEEN = ["the", "and", "likes", "Monday", ",", ".", "\n", "42"]
sentences = st.lists(st.sampled_from(TOPICS + BETWEEN), max_size=30).map(" ".join)


SCORES: list[tuple[str, dict[str, float]]] = [
    ("I play the cello", {"cello": 1}),
    ("The garden has an old oak tree", {"oak": 2, "tree": 2, "garden": 1}),
    ("An oak tree and an oak", {"tree": 2, "oak": 1.5}),
    ("Oak, tree. Garden\ncello", {"oak": 1, "tree": 1, "garden": 1, "cello": 1}),
    ("The dog's toys don't last, I've 2 kg", {"dog": 2, "toy": 2}),
    ("", {}),
]


def test_a_score_is_degree_over_frequency() -> None:
    assert [
        (text, got) for text, scores in SCORES if (got := dict(extract_keyphrases(text))) != scores
    ] == []


def test_the_best_comes_first_then_what_is_said_first() -> None:
    found = extract_keyphrases("A garden with a pond and an oak tree")
    assert [tag for tag, _ in found] == ["oak", "tree", "garden", "pond"]


def test_a_name_ends_a_phrase_and_is_in_none() -> None:
    found = extract_keyphrases("the nurse St. Olav hospital hired", without=["St. Olav"])
    assert dict(found) == {"nurse": 1, "hospital": 2, "hired": 2}


def test_in_a_language_of_other_stop_words_no_word_is_surer_than_another() -> None:
    found = extract_keyphrases("jeg bor sammen med hunden min utenfor byen")
    assert found
    assert {score for _, score in found} == {1}


SINGULARS: list[tuple[str, str | None]] = [
    ("Peanuts", "peanut"),
    ("allergies", "allergy"),
    ("boxes", "box"),
    ("Bus", "bus"),
    ("glass", "glass"),
    ("diabetes", "diabetes"),
    ("dog’s", "dog"),
    ("don't", None),
    ("things", None),
    ("Fridays", None),
    ("2026", None),
    ("", None),
]


def test_a_tag_is_the_singular() -> None:
    assert [(word, got) for word, tag in SINGULARS if (got := to_tag(word)) != tag] == []


@given(sentences)
def test_every_topic_is_found_and_nothing_else(text: str) -> None:
    found = extract_keyphrases(text)
    assert {tag for tag, _ in found} == set(text.split()) & set(TOPICS)
    assert len(found) == len(dict(found))
    assert all(1 <= score <= 4 for _, score in found)
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)


@given(st.text(max_size=300) | st.text("abisé 'İßΣς’.-_&+#\n", max_size=60))
def test_tags_are_made_of_the_words_of_any_text(text: str) -> None:
    words = text.replace("’", "'").casefold()
    for tag, score in extract_keyphrases(text):
        # Without its last letter: "allergies" is "allergy" in the singular.
        assert tag[:-1].casefold() in words
        assert 1 <= score <= 4
        assert tag not in FUNCTION | GENERIC | CALENDAR
