from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.simhash import simhash64
from memory.write.normalise import normalise
from memory.write.novelty import Decision, Neighbour, decide

# Cosines measured with all-MiniLM-L6-v2-int8, both sides in the first person.
PAIRS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("pairs.json").read_text(encoding="utf-8")
)
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def near(
    content: str,
    number: int = 1,
    *,
    cosine: float | None = None,
    pinned: bool = False,
    manually_saved: bool = False,
    replaced: bool = False,
) -> Neighbour:
    return Neighbour(
        id=UUID(int=number),
        content=content,
        simhash=simhash64(normalise(content)),
        cosine=cosine,
        pinned=pinned,
        manually_saved=manually_saved,
        created_at=NOW + timedelta(minutes=number),
        occurred_at=None,
        replaced=replaced,
    )


def decided(content: str, *neighbours: Neighbour) -> Decision:
    return decide(content, simhash64(normalise(content)), neighbours)


def wrong(pairs: Sequence[dict[str, Any]], cosine: float | None = None) -> list[str]:
    """The pairs that are not decided as labelled, at their own cosine or at the one given."""
    found = []
    for pair in pairs:
        near_one = near(pair["old"], cosine=pair["cosine"] if cosine is None else cosine)
        decision = decided(pair["new"], near_one)
        of = () if decision.kind == "new" else (UUID(int=1),)
        if (decision.kind, decision.of) != (pair["decision"], of):
            found.append(f"{pair['decision']}: {pair['old']} | {pair['new']} -> {decision}")
    return found


@pytest.mark.parametrize("kind", ["new", "repeat", "replace", "ask"])
def test_the_pairs_are_decided_as_labelled(kind: str) -> None:
    assert wrong([pair for pair in PAIRS if pair["decision"] == kind]) == []


@pytest.mark.parametrize("cosine", [0.1, 0.9, 0.99])
def test_an_update_is_told_by_its_words_whatever_the_cosine(cosine: float) -> None:
    updates = [pair for pair in PAIRS if pair["decision"] in ("replace", "ask")]
    assert wrong(updates, cosine) == []


def test_an_update_is_told_without_a_vector() -> None:
    updates = [{**pair, "cosine": None} for pair in PAIRS if pair["decision"] in ("replace", "ask")]
    assert wrong(updates) == []


def test_every_kind_is_well_represented() -> None:
    counts = Counter(pair["decision"] for pair in PAIRS)
    assert counts["repeat"] >= 100
    assert counts["replace"] >= 300
    assert counts["new"] >= 200


def test_nothing_near_is_new() -> None:
    assert decided("I live in Oslo") == Decision("new")


@pytest.mark.parametrize(
    ("content", "old", "why"),
    [
        ("I like tea", "I like tea!", "text"),
        ("I live in Oslo", "Oslo is where I live", "slot"),
        ("I live in Bergen", "I live in Oslo", "slot:home"),
        ("I no longer work at Equinor", "I work at Equinor", "slot:employer"),
        ("The team meeting is at 4", "The team meeting is at 3", "slot:clock"),
        ("My favourite colour is green", "My favourite colour is blue", "slot:favourite"),
        ("I quit smoking", "I smoke", "negation"),
    ],
)
def test_the_reason_names_the_rule_and_none_of_the_users_words(
    content: str, old: str, why: str
) -> None:
    assert decided(content, near(old)).why == why


def test_a_close_vector_makes_a_restatement_only_with_the_same_words() -> None:
    assert decided("In production we use Valkey", near("We use Valkey in production", cosine=0.96))
    assert decided("I like my red bike", near("I like my blue bike", cosine=0.98)).kind == "new"


def test_a_long_note_with_one_word_changed_is_a_repeat() -> None:
    note = "The old harbour warehouse keeps ropes, paint, nets, lanterns, buoys, anchors, oars, "
    note += "sails, tar, hooks, chains, crates and barrels behind the third green door"
    assert decided(note.replace("barrels", "boxes"), near(note, cosine=0.98)).kind == "repeat"
    assert decided(f"{note} 4", near(f"{note} 3", cosine=0.99)).kind == "new"


def test_two_long_notes_that_part_after_their_beginning_are_two() -> None:
    beginning = "The harbour warehouse keeps ropes, paint and nets behind the green door. " * 12
    old = near(beginning + "The key hangs in the kitchen", cosine=1.0)
    assert decided(beginning + "All of it is to be sold before winter comes", old).kind == "new"
    assert decided(beginning + "the key hangs in the kitchen.", old).kind == "repeat"


def test_what_was_saved_by_hand_is_replaced_only_when_a_change_is_said() -> None:
    old = near("I live in Oslo", manually_saved=True)
    assert decided("I live in Bergen", old).kind == "ask"
    assert decided("I moved to Bergen", old).kind == "replace"


@pytest.mark.parametrize("said", ["I live in Bergen", "I moved to Bergen"])
def test_what_is_pinned_is_asked_about_however_outright_the_change_is_said(said: str) -> None:
    assert decided(said, near("I live in Oslo", pinned=True)).kind == "ask"
    both = near("I live in Oslo", pinned=True, manually_saved=True)
    assert decided(said, both).kind == "ask"


def test_a_move_that_lies_before_the_older_memory_is_asked_about() -> None:
    old = near("I live in Oslo")
    assert decided("I moved to Bergen in 2010", old).kind == "ask"
    assert decided("I moved to Bergen in April 2026", old).kind == "replace"


def test_a_move_from_elsewhere_is_asked_about() -> None:
    assert decided("I moved from Paris to Bergen", near("I live in Oslo")).kind == "ask"
    assert decided("I moved from Oslo to Bergen", near("I live in Oslo")).kind == "replace"


def test_an_old_memory_that_says_more_is_asked_about() -> None:
    old = near("I live in Oslo and my favourite colour is blue")
    assert decided("I moved to Bergen", old).kind == "ask"


def test_all_that_is_contradicted_is_replaced_oldest_first() -> None:
    decision = decided("I quit my job", near("I work as a nurse", 2), near("I work at Equinor", 1))
    assert decision == Decision("replace", (UUID(int=1), UUID(int=2)), "slot:employer")


def test_what_is_surely_contradicted_goes_and_the_doubtful_stays() -> None:
    decision = decided(
        "I live in Bergen", near("I live in Oslo", 1), near("I live in Spain", 2, pinned=True)
    )
    assert decision == Decision("replace", (UUID(int=1),), "slot:home")


def test_a_repeat_of_what_was_replaced_revives_it_where_its_successor_contradicts() -> None:
    gone = near("I live in Oslo", 1, replaced=True)
    assert decided("I live in Oslo", gone, near("I live in Bergen", 2)) == Decision(
        "repeat", (UUID(int=1),), "revived"
    )


def test_a_repeat_of_what_was_replaced_is_new_where_nothing_contradicts_it() -> None:
    gone = near("I live in Oslo", 1, replaced=True)
    assert decided("I live in Oslo", gone, near("I like tea", 2)) == Decision("new")


def test_a_replaced_memory_is_neither_replaced_nor_asked_about() -> None:
    assert decided("I live in Bergen", near("I live in Oslo", replaced=True)) == Decision("new")


def test_a_living_repeat_comes_before_a_replaced_one() -> None:
    neighbours = [near("I live in Oslo", 1, replaced=True), near("I live in Oslo", 2)]
    assert decided("I live in Oslo", *neighbours).of == (UUID(int=2),)


def test_the_canonical_one_is_most_alike_then_kept_by_hand_then_oldest() -> None:
    said = "I live in Oslo"
    assert decided(said, near("Oslo is where I live", 1), near(said, 2)).of == (UUID(int=2),)
    assert decided(said, near(said, 1), near(said, 2, pinned=True)).of == (UUID(int=2),)
    assert decided(said, near(said, 2), near(said, 1)).of == (UUID(int=1),)


WORDS = (
    "I my sister Maria Anna live lives in Oslo Bergen moved to from not no longer now used am is "
    "was 34 3 pm work at Equinor as a nurse the meeting on Monday and but favourite colour blue "
    "prefer over tea , . ; ' like hate don't quit stopped smoking married Tom broke up switched "
    "instead of for never always you can died cancelled"
)
words = st.sampled_from(WORDS.split())
sentences = st.lists(words, max_size=14).map(" ".join)
texts = st.one_of(sentences, st.text(max_size=80), st.sampled_from([p["old"] for p in PAIRS]))
neighbours = st.builds(
    near,
    texts,
    st.integers(1, 10**6),
    cosine=st.one_of(st.none(), st.floats(-1, 1)),
    pinned=st.booleans(),
    manually_saved=st.booleans(),
    replaced=st.booleans(),
)


@given(texts, st.lists(neighbours, max_size=5), st.integers())
def test_it_never_raises_and_speaks_of_neighbours_only(
    content: str, around: list[Neighbour], simhash: int
) -> None:
    decision = decide(content, simhash, around)
    assert set(decision.of) <= {each.id for each in around}
    assert bool(decision.of) == (decision.kind != "new")


@given(texts, st.one_of(st.none(), st.floats(-1, 1)))
def test_a_text_against_itself_is_a_repeat(content: str, cosine: float | None) -> None:
    assert decided(content, near(content, cosine=cosine)) == Decision(
        "repeat", (UUID(int=1),), "text"
    )


@given(texts, st.lists(neighbours, max_size=5, unique_by=lambda each: each.id), st.randoms())
def test_the_order_of_the_neighbours_does_not_matter(
    content: str, around: list[Neighbour], random: Any
) -> None:
    shuffled = random.sample(around, len(around))
    assert decided(content, *around) == decided(content, *shuffled)


@given(texts, st.lists(neighbours, max_size=5, unique_by=lambda each: each.id))
def test_what_is_replaced_was_neither_pinned_nor_replaced_before(
    content: str, around: list[Neighbour]
) -> None:
    decision = decided(content, *around)
    if decision.kind == "replace":
        kept = {each.id for each in around if each.replaced or each.pinned}
        assert not kept & set(decision.of)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My sister lives in Bergen", "I live in Bergen"),
        ("My sister works at Equinor", "I work at Equinor"),
        ("My wife is allergic to nuts", "I am allergic to nuts"),
        ("I live in Bergen", "My sister lives in Bergen"),
    ],
)
def test_what_holds_of_somebody_else_says_nothing_of_oneself(older: str, newer: str) -> None:
    assert decided(newer, near(older, cosine=0.9)).kind == "new"
