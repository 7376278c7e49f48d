from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.hybrid_search import RRF_K, fuse

ranking = st.lists(st.integers(0, 30), unique=True, max_size=20)


def test_the_formula() -> None:
    fused = dict(fuse([["a", "b"], ["b", "c"]]))
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)
    assert fused["c"] == pytest.approx(1 / 62)


def test_what_both_name_comes_before_what_one_names_first() -> None:
    assert [key for key, _ in fuse([["a", "both"], ["b", "both"]])] == ["both", "a", "b"]


def test_a_tie_keeps_the_order_of_appearance() -> None:
    assert [key for key, _ in fuse([["z", "y"], ["a", "b"]])] == ["z", "a", "y", "b"]


def test_k_is_the_published_one() -> None:
    assert RRF_K == 60


@given(ranking)
def test_one_ranking_keeps_its_order(keys: list[int]) -> None:
    assert [key for key, _ in fuse([keys])] == keys


@given(st.lists(ranking, max_size=4))
def test_every_key_once_best_first_within_the_bound(rankings: list[list[int]]) -> None:
    fused = fuse(rankings)
    keys = [key for key, _ in fused]
    scores = [score for _, score in fused]
    assert len(keys) == len(set(keys))
    assert set(keys) == {key for each in rankings for key in each}
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= len(rankings) / 61 + 1e-12 for score in scores)


@given(ranking, ranking)
def test_two_legs_never_reach_a_threshold_of_relevance(one: list[int], other: list[int]) -> None:
    assert all(score <= 2 / 61 for _, score in fuse([one, other]))


def test_nothing_from_nothing() -> None:
    assert fuse([]) == fuse([[], []]) == []
