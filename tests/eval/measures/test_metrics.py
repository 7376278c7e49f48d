from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics import (
    area_under_curve,
    calibration_bins,
    expected_calibration_error,
    log_loss,
    mean,
    percentile,
    precision_at,
    proportion,
    recall_at,
    reciprocal_rank,
)

HIT_A, HIT_B, MISS = frozenset("a"), frozenset("b"), frozenset[str]()
WANTED = frozenset("ab")
wanted_sets = st.frozensets(st.sampled_from("abcdef"))
rankings = st.lists(wanted_sets, max_size=12)


def test_recall_is_the_share_of_the_evidence_within_k() -> None:
    ranking = [MISS, HIT_A, MISS, HIT_B]
    assert recall_at(1, ranking, WANTED) == 0.0
    assert recall_at(2, ranking, WANTED) == 0.5
    assert recall_at(4, ranking, WANTED) == 1.0


def test_recall_counts_a_piece_of_evidence_once() -> None:
    assert recall_at(5, [HIT_A, HIT_A], WANTED) == 0.5


def test_recall_is_not_measured_where_nothing_is_wanted() -> None:
    assert recall_at(5, [], frozenset()) is None
    assert recall_at(5, [], WANTED) == 0.0


def test_precision_is_of_what_is_returned() -> None:
    assert precision_at(5, [HIT_A]) == 1.0
    assert precision_at(5, [HIT_A, MISS]) == 0.5
    assert precision_at(1, [HIT_A, MISS]) == 1.0
    assert precision_at(5, []) is None


def test_reciprocal_rank_is_of_the_first_hit() -> None:
    assert reciprocal_rank([MISS, MISS, HIT_B, HIT_A], WANTED) == pytest.approx(1 / 3)
    assert reciprocal_rank([MISS], WANTED) == 0.0
    assert reciprocal_rank([], frozenset()) is None


@given(rankings, wanted_sets)
def test_recall_never_falls_with_k(found: list[frozenset[str]], wanted: frozenset[str]) -> None:
    ranking = [covers & wanted for covers in found]
    recalls = [recall_at(k, ranking, wanted) or 0.0 for k in range(len(ranking) + 1)]
    assert recalls == sorted(recalls)
    assert all(0.0 <= recall <= 1.0 for recall in recalls)


@given(rankings, wanted_sets, st.integers(1, 12))
def test_a_hit_is_in_all_three_measures_or_in_none(
    found: list[frozenset[str]], wanted: frozenset[str], k: int
) -> None:
    ranking = [covers & wanted for covers in found][:k]
    hit = any(ranking)
    assert bool(recall_at(k, ranking, wanted)) is hit
    assert bool(precision_at(k, ranking)) is hit
    assert bool(reciprocal_rank(ranking, wanted)) is hit


def test_means_leave_out_what_was_not_measured() -> None:
    assert mean([1.0, None, 0.0]) == 0.5
    assert mean([None]) is None
    assert proportion([True, True, False, False]) == 0.5
    assert proportion([]) is None


@given(st.lists(st.floats(0, 1e4), min_size=1))
def test_a_percentile_lies_within_the_values(values: list[float]) -> None:
    p95 = percentile(values, 95)
    assert p95 is not None
    assert min(values) <= p95 <= max(values) or math.isclose(p95, max(values))


def test_percentile_interpolates() -> None:
    assert percentile([10.0, 20.0], 50) == 15.0
    assert percentile([], 50) is None


def test_log_loss_of_a_coin_is_ln_2() -> None:
    assert log_loss([True, False], [0.5, 0.5]) == pytest.approx(math.log(2))
    assert log_loss([], []) is None


def test_log_loss_of_a_certain_mistake_is_finite() -> None:
    assert log_loss([True], [0.0]) == pytest.approx(-math.log(1e-12))


def test_area_under_curve() -> None:
    assert area_under_curve([True, True, False], [0.9, 0.8, 0.1]) == 1.0
    assert area_under_curve([True, False], [0.1, 0.9]) == 0.0
    assert area_under_curve([True, False, False], [0.5, 0.5, 0.1]) == 0.75
    assert area_under_curve([True], [0.5]) is None


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=30))
def test_area_under_curve_is_the_share_of_pairs_in_order(pairs: list[tuple[bool, int]]) -> None:
    hits = [score for label, score in pairs if label]
    misses = [score for label, score in pairs if not label]
    area = area_under_curve([label for label, _ in pairs], [float(s) for _, s in pairs])
    if not hits or not misses:
        assert area is None
        return
    won = sum((h > m) + 0.5 * (h == m) for h in hits for m in misses)
    assert area == pytest.approx(won / (len(hits) * len(misses)))


judgements = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])))


def _error(pairs: list[tuple[bool, float]], bins: int = 10) -> float | None:
    return expected_calibration_error([label for label, _ in pairs], [p for _, p in pairs], bins)


def test_a_sure_and_right_judge_is_not_off_and_a_sure_and_wrong_one_is_all_off() -> None:
    assert _error([(True, 1.0), (False, 0.0)] * 10) == 0.0
    assert _error([(False, 1.0), (True, 0.0)] * 10) == 1.0
    assert _error([]) is None


def test_bins_hold_as_many_judgements_each() -> None:
    labels, p = [False] * 50 + [True] * 50, [i / 100 for i in range(100)]
    bins = calibration_bins(labels, p)
    assert [each.count for each in bins] == [10] * 10
    assert [each.share for each in bins] == [0.0] * 5 + [1.0] * 5
    assert bins[0].probability == pytest.approx(0.045)
    assert expected_calibration_error(labels, p) == pytest.approx(0.25)


@given(judgements, st.randoms(use_true_random=False))
def test_the_order_of_judgements_changes_nothing(
    pairs: list[tuple[bool, float]], random: random.Random
) -> None:
    shuffled = random.sample(pairs, len(pairs))
    assert _error(shuffled) == pytest.approx(_error(pairs))


@given(judgements.filter(bool), st.integers(1, 12))
def test_an_error_is_no_smaller_than_that_of_the_means_and_no_larger_than_1(
    pairs: list[tuple[bool, float]], bins: int
) -> None:
    """Over- and underrating cancel out within a bin, and in one bin the most."""
    error = _error(pairs, bins)
    share, probability = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    assert error is not None
    assert abs(share - probability) - 1e-9 <= error <= 1 + 1e-9


@given(judgements.filter(bool), st.integers(1, 12))
def test_every_judgement_is_in_one_bin(pairs: list[tuple[bool, float]], bins: int) -> None:
    told = calibration_bins([label for label, _ in pairs], [p for _, p in pairs], bins)
    assert sum(each.count for each in told) == len(pairs)
    assert len(told) <= bins
    assert [each.probability for each in told] == sorted({each.probability for each in told})
    hits = sum(each.count * each.share for each in told)
    assert hits == pytest.approx(sum(label for label, _ in pairs))
