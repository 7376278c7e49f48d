from __future__ import annotations

import math
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.importance import BASE, clamp, importance, repeat_boost

shares = st.floats(0, 1)
numbers = st.floats(allow_nan=False)


def of(
    *,
    asked: bool = False,
    category: str = "identity",
    confidence: float = 0.0,
    has_tags: bool = False,
    chit_chat: bool = False,
    base: float = BASE,
) -> float:
    return importance(
        asked=asked,
        category=category,
        confidence=confidence,
        has_tags=has_tags,
        chit_chat=chit_chat,
        base=base,
    )


def test_an_explicit_request_adds_a_half() -> None:
    assert of(asked=True) - of() == pytest.approx(0.5)


@pytest.mark.parametrize("category", ["preference", "goal", "decision", "constraint"])
def test_what_lasts_adds_three_tenths(category: str) -> None:
    assert of(category=category) - of() == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("has_tags", "confidence", "added"),
    [(True, 0.6, 0.2), (True, 0.59, 0.0), (False, 0.9, 0.0), (True, 1.0, 0.2)],
)
def test_sure_tags_add_two_tenths(has_tags: bool, confidence: float, added: float) -> None:
    assert of(has_tags=has_tags, confidence=confidence) - of() == pytest.approx(added)


def test_chit_chat_takes_a_tenth() -> None:
    assert of(chit_chat=True) - of() == pytest.approx(-0.1)


def test_the_extractor_is_where_it_begins() -> None:
    assert BASE == 0.2
    assert of(base=0.4, category="preference") == pytest.approx(0.7)
    assert of(base=1.0, asked=True) == 1.0
    assert of(base=0.0, chit_chat=True) == 0.0


@given(shares, shares)
def test_each_sign_moves_it_one_way_and_never_out_of_bounds(base: float, confidence: float) -> None:
    for asked, lasting, tags in product([False, True], repeat=3):
        category = "goal" if lasting else "event"
        plain = of(asked=asked, category=category, has_tags=tags, confidence=confidence, base=base)
        chatty = of(
            asked=asked,
            category=category,
            has_tags=tags,
            confidence=confidence,
            base=base,
            chit_chat=True,
        )
        assert 0 <= chatty <= plain <= 1
        assert plain >= base


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
