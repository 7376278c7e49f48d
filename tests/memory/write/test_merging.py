from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.classification import repeat_boost
from memory.ingestion.deduplication import (
    MAX_SOURCES,
    MAX_TAGS,
    RepeatState,
    merge_repeat,
    merge_sources,
    merge_tags,
)

tags = st.lists(
    st.sampled_from("abcdefABCDEFghijklmnopqrstuvwxyz") | st.text(max_size=4), max_size=40
)
sources = st.lists(st.integers(0, 90).map(str), max_size=80)
standings = st.builds(
    RepeatState,
    tags=tags.map(tuple),
    source_ids=sources.map(tuple),
    pinned=st.booleans(),
    manually_saved=st.booleans(),
    importance=st.floats(0, 1),
    repeat_count=st.integers(0, 1000),
)


def test_the_old_come_first_each_once() -> None:
    assert merge_tags(["Tea", "Oslo"], ["tea", "Maria", "maria"]) == ("Tea", "Oslo", "Maria")
    assert merge_sources(["b", "a"], ["a", "B", "c"]) == ("b", "a", "B", "c")
    assert merge_tags([], []) == merge_sources([], []) == ()


def test_case_is_folded_in_every_script() -> None:
    assert merge_tags(["Straße"], ["STRASSE", "ΟΔΟΣ", "οδος"]) == ("Straße", "ΟΔΟΣ")


def test_lists_end_at_their_most() -> None:
    many = [str(number) for number in range(100)]
    assert merge_tags(many[:15], many) == tuple(many[:MAX_TAGS])
    assert merge_sources(many[:15], many) == tuple(many[:MAX_SOURCES])
    assert (MAX_TAGS, MAX_SOURCES) == (20, 50)


@given(tags, tags)
def test_merging_the_same_tags_again_changes_nothing(old: list[str], new: list[str]) -> None:
    once = merge_tags(old, new)
    assert merge_tags(once, new) == merge_tags(once, once) == once
    folded = [tag.casefold() for tag in once]
    assert len(set(folded)) == len(folded) <= MAX_TAGS
    assert set(folded) <= {tag.casefold() for tag in old + new}


@given(sources, sources)
def test_merging_the_same_sources_again_changes_nothing(old: list[str], new: list[str]) -> None:
    once = merge_sources(old, new)
    assert merge_sources(once, new) == merge_sources(once, once) == once
    assert len(set(once)) == len(once) == min(MAX_SOURCES, len({*old, *new}))


@given(standings, standings)
def test_a_repeat_takes_nothing_away(old: RepeatState, new: RepeatState) -> None:
    merged = merge_repeat(old, new)
    assert merged.repeat_count == old.repeat_count + 1
    assert old.importance <= merged.importance <= 1
    assert merged.pinned == (old.pinned or new.pinned)
    assert merged.manually_saved == (old.manually_saved or new.manually_saved)
    assert set(merged.tags[: len(old.tags)]) <= set(old.tags) | set(new.tags)
    assert merged.source_ids == merge_sources(old.source_ids, new.source_ids)


def test_importance_gains_by_the_number_of_the_repeat() -> None:
    standing = RepeatState(importance=0.5)
    for number in (1, 2, 3):
        before = standing.importance
        standing = merge_repeat(standing, RepeatState(importance=0.9))
        assert standing.importance == pytest.approx(before + repeat_boost(number))
    assert merge_repeat(RepeatState(importance=1.0), RepeatState()).importance == 1.0
