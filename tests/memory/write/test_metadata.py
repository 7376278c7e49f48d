from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.metadata import MemoryMetadata, extract_metadata, propose_tags
from memory.types import NewMemory

any_text = st.text(max_size=300)
PARAPHRASES = [
    ("My sister Maria lives in Oslo", "Maria, my sister, is living in Oslo"),
    ("I prefer uv over pip for Python projects", "For Python projects I like uv better than pip"),
    ("I am allergic to peanuts", "Peanuts give me an allergic reaction"),
    ("Never deploy on Fridays", "Don't deploy on a Friday"),
    (
        "User works as a nurse at St Olav hospital in Trondheim",
        "I'm a nurse, working at the St Olav hospital in Trondheim",
    ),
    (
        "We decided to use PostgreSQL with pgvector instead of Pinecone",
        "The decision is PostgreSQL with pgvector, not Pinecone",
    ),
    ("I play the cello in an amateur orchestra", "I'm a cello player in an amateur orchestra"),
    ("My dog is called Biscuit", "I have a dog named Biscuit"),
    ("I don't eat meat any more", "I stopped eating meat"),
    (
        "My daughter Ida starts school in August 2026",
        "In August 2026 Ida, my daughter, will start school",
    ),
    ("I run 10 km before work every morning", "Every morning before work I run 10 km"),
    ("I drink my coffee black", "I take black coffee"),
    ("I want to learn Norwegian this year", "My goal is to learn Norwegian"),
    ("My favourite band is Radiohead", "Radiohead is the band I like most"),
    ("I bought a blue Volvo", "My car is a blue Volvo"),
    ("I take metformin for diabetes", "For my diabetes I take metformin"),
]


def test_tags_are_topics_and_names() -> None:
    metadata = extract_metadata("My friend Tom Berger plays the cello at CERN")
    assert set(metadata.tags) == {"friend", "cello", "tom berger", "cern"}


def test_the_same_fact_in_other_words_mostly_has_the_same_tags() -> None:
    shares = []
    for one, other in PARAPHRASES:
        first, second = set(extract_metadata(one).tags), set(extract_metadata(other).tags)
        shares.append(len(first & second) / len(first | second))
    assert fmean(shares) > 0.9
    assert min(shares) >= 0.5


NAMELESS = ["The user likes things", "10 12 2026 3pm", "I want it", "On Monday in May", "", " "]


def test_where_nothing_is_named_nothing_is_found() -> None:
    assert [text for text in NAMELESS if extract_metadata(text) != MemoryMetadata((), 0.0)] == []


def test_confidence_is_the_mean_of_the_detectors() -> None:
    assert extract_metadata("I use Oslo").confidence == pytest.approx(0.9)
    mixed = extract_metadata("My sister Maria lives in Oslo")
    assert mixed.tags == ("sister", "maria", "oslo")
    # One ordinary word (0.5) and two names (0.9 each).
    assert mixed.confidence == pytest.approx((0.5 + 0.9 + 0.9) / 3)


def test_plurals_share_a_tag_with_their_singular() -> None:
    assert extract_metadata("I like peanuts").tags == extract_metadata("I like a peanut").tags
    assert extract_metadata("I have diabetes").tags == ("diabetes",)


def test_a_long_text_has_five_and_five() -> None:
    long = "Anna, Bert, Carla, Dora, Emil and Finn sing about tea, milk, honey, salt, rice, corn. "
    metadata = extract_metadata(long * 200)
    assert len(metadata.tags) == 10


def test_words_that_stand_together_are_surer_than_one_alone() -> None:
    alone, together = extract_metadata("I grow beans"), extract_metadata("I grow runner beans")
    assert (alone.tags, together.tags) == (("bean",), ("runner", "bean"))
    assert alone.confidence == pytest.approx(1 / 2)
    assert together.confidence == pytest.approx(2 / 3)


@given(any_text)
def test_any_text_can_be_described(text: str) -> None:
    metadata = extract_metadata(text)
    assert 0.0 <= metadata.confidence <= 1.0
    assert metadata.confidence > 0 or not metadata.tags
    assert len(metadata.tags) <= 10
    assert all(tag == tag.lower().strip() for tag in metadata.tags)
    NewMemory(content="x", tags=metadata.tags)


def test_what_two_near_memories_share_is_proposed() -> None:
    near = [(0.7, ["oslo", "travel"]), (0.65, ["Oslo", "travel", "food"]), (0.6, ["oslo", "food"])]
    assert propose_tags(["oslo"], near) == ("travel", "food")
    assert propose_tags([], near) == ("oslo", "travel", "food")


@pytest.mark.parametrize(
    "neighbours",
    [
        [],
        [(0.9, ["oslo", "travel"])],
        [(0.59, ["oslo", "travel"]), (0.9, ["oslo", "travel"])],
        [(0.9, ["bergen", "travel"]), (0.9, ["bergen", "travel"])],
        [(0.9, ["oslo", "user", "2026", "monday"]), (0.9, ["oslo", "user", "2026", "monday"])],
    ],
    ids=["none", "one", "far", "of something else", "no topics"],
)
def test_what_does_not_fit_is_not_proposed(neighbours: list[tuple[float, list[str]]]) -> None:
    assert propose_tags(["oslo"], neighbours) == ()


@given(
    st.lists(st.text(max_size=8), max_size=5),
    st.lists(st.tuples(st.floats(-1, 1), st.lists(st.text(max_size=8), max_size=4)), max_size=6),
)
def test_a_proposal_is_new_and_shared(own: list[str], near: list[tuple[float, list[str]]]) -> None:
    proposed = propose_tags(own, near)
    assert len(proposed) == len(set(proposed)) <= 5
    shared = [{each.casefold() for each in tags} for cosine, tags in near if cosine >= 0.6]
    for tag in proposed:
        assert tag not in {each.casefold() for each in own}
        assert sum(tag in tags for tags in shared) > 1
