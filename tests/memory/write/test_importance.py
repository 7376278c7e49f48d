from __future__ import annotations

import math
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.classification import BASE, clamp, importance, pinned_importance, repeat_boost

shares = st.floats(0, 1)
numbers = st.floats(allow_nan=False)


def of(
    *,
    asked: bool = False,
    category: str = "identity",
    confidence: float = 0.0,
    has_tags: bool = False,
    base: float = 0.0,
) -> float:
    return importance(
        asked=asked, category=category, confidence=confidence, has_tags=has_tags, base=base
    )


def test_an_explicit_request_is_worth_a_half() -> None:
    assert of(asked=True) == pytest.approx(0.5)


def test_what_lasts_is_worth_three_tenths() -> None:
    lasting = ("preference", "goal", "decision", "constraint")
    assert [each for each in lasting if of(category=each) != pytest.approx(0.3)] == []


TAGGED = [(True, 0.6, 0.2), (True, 0.59, 0.0), (False, 0.9, 0.0), (True, 1.0, 0.2)]


def test_sure_tags_are_worth_two_tenths() -> None:
    assert [
        (has_tags, confidence)
        for has_tags, confidence, worth in TAGGED
        if of(has_tags=has_tags, confidence=confidence) != pytest.approx(worth)
    ] == []


@pytest.mark.parametrize("category", ["fact", "note"])
def test_what_is_low_signal_loses_a_tenth(category: str) -> None:
    assert of(category=category, base=BASE) == pytest.approx(BASE - 0.1)
    assert of(category=category) == 0.0
    assert of(category=category, base=BASE, has_tags=True) == pytest.approx(BASE)
    assert of(category=category, asked=True) == pytest.approx(0.5)


def test_each_sign_takes_its_share_of_what_is_missing() -> None:
    assert BASE == 0.2
    assert of(base=0.4, category="preference") == pytest.approx(1 - 0.6 * 0.7)
    assert of(base=0.8, category="goal", asked=True, has_tags=True, confidence=1) == pytest.approx(
        1 - 0.2 * 0.7 * 0.5 * 0.8
    )
    assert of(base=1.0, asked=True) == 1.0


def test_ordinary_memories_do_not_meet_at_the_top() -> None:
    """003's scale under 000's signs: everything but identity keeps its place."""
    scale = [0.2, 0.4, 0.6, 0.8]
    for asked, category in product([False, True], ["event", "preference"]):
        worth = [
            of(asked=asked, category=category, has_tags=True, confidence=0.8, base=base)
            for base in scale
        ]
        assert all(later - earlier > 0.05 for earlier, later in pairwise(worth))
        assert max(worth) < 0.95


@given(shares)
def test_asking_counts_more_than_lasting_and_that_more_than_tags(base: float) -> None:
    asked, lasting = of(asked=True, base=base), of(category="goal", base=base)
    described = of(has_tags=True, confidence=1, base=base)
    assert asked >= lasting >= described >= base - 1e-9


@given(shares, shares)
def test_each_sign_only_raises_it_and_never_out_of_bounds(base: float, confidence: float) -> None:
    for asked, lasting, tags in product([False, True], repeat=3):
        category = "goal" if lasting else "event"
        worth = of(asked=asked, category=category, has_tags=tags, confidence=confidence, base=base)
        assert base - 1e-9 <= worth <= 1


@given(shares)
def test_a_pin_takes_half_of_what_is_missing_and_lowers_nothing(value: float) -> None:
    assert pinned_importance(value) == pytest.approx(value + (1 - value) / 2)
    assert value <= pinned_importance(value) <= 1


@given(numbers, numbers)
def test_clamp_is_the_nearest_in_bounds_and_keeps_the_order(one: float, other: float) -> None:
    assert 0.0 <= clamp(one) <= 1.0
    assert clamp(clamp(one)) == clamp(one)
    assert clamp(one) == one or not 0 <= one <= 1
    assert (clamp(one) <= clamp(other)) or one > other


def test_clamp_at_the_edges() -> None:
    assert [clamp(each) for each in (-1.0, 0.0, 0.3, 1.0, 1.1, math.inf, -math.inf)] == [
        *(0.0, 0.0, 0.3, 1.0, 1.0, 1.0, 0.0)
    ]
    assert clamp(math.nan) == 0.0


@given(st.integers(1, 200))
def test_each_repeat_adds_less_and_all_together_less_than_two_tenths(repeats: int) -> None:
    boosts = [repeat_boost(number) for number in range(1, repeats + 1)]
    assert all(later == earlier / 2 for earlier, later in pairwise(boosts))
    assert min(boosts) > 0
    assert sum(boosts) == pytest.approx(0.2 * (1 - 0.5**repeats))


@pytest.mark.parametrize("number", [0, -1, -100])
def test_no_repeat_adds_nothing(number: int) -> None:
    assert repeat_boost(number) == 0.0


def test_the_first_repeat_adds_a_tenth() -> None:
    assert repeat_boost(1) == pytest.approx(0.1)


def test_a_very_great_number_adds_nothing_and_is_no_error() -> None:
    assert repeat_boost(1_000_000) == 0.0
