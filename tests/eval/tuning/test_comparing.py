from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.statistics import NOT_MEASURED, Resampling

VALUES = st.lists(st.one_of(st.floats(0, 1), st.just(float("nan"))), min_size=2, max_size=20)


@settings(deadline=None)
@given(VALUES)
def test_an_estimate_lies_within_its_interval_and_the_possible(values: list[float]) -> None:
    column = np.array(values)
    found = Resampling(len(values)).estimate(column)
    if not np.isfinite(column).any():
        assert found == NOT_MEASURED
        return
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert -1e-9 <= found.low <= found.high <= 1 + 1e-9
    assert np.nanmin(column) - 1e-9 <= found.value <= np.nanmax(column) + 1e-9


@settings(deadline=None)
@given(VALUES)
def test_a_setting_does_not_differ_from_itself(values: list[float]) -> None:
    column = np.array(values)
    found = Resampling(len(values)).difference(column, column)
    assert found == NOT_MEASURED or (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_what_is_hard_for_both_does_not_widen_the_difference() -> None:
    """Questions of very unlike difficulty, and a setting that is a little better on each."""
    base = np.tile([0.0, 0.9], 50)
    better = base + 0.05
    drawn = Resampling(100)
    difference, apart = drawn.difference(better, base), drawn.estimate(better)
    assert difference.excludes_zero
    assert (difference.low, difference.high) == pytest.approx((0.05, 0.05))
    assert apart.low is not None
    assert apart.high is not None
    assert apart.high - apart.low > 0.1


def test_of_many_lucky_settings_none_is_beyond_chance() -> None:
    """Forty coins against one: some lie beyond their own interval, none beyond that of all."""
    random = np.random.default_rng(7)
    base = random.integers(0, 2, 200).astype(float)
    coins = random.integers(0, 2, (200, 40)).astype(float)
    drawn = Resampling(200)
    alone = [drawn.difference(coins[:, place], base).excludes_zero for place in range(40)]
    assert any(alone)
    assert not any(drawn.beyond_chance(coins, base))


def test_a_setting_that_is_really_better_is_beyond_chance() -> None:
    random = np.random.default_rng(7)
    base = random.integers(0, 2, 200).astype(float)
    coins = random.integers(0, 2, (200, 10)).astype(float)
    coins[:, 3] = 1.0
    assert Resampling(200).beyond_chance(np.column_stack([base, coins]), base) == [
        place == 4 for place in range(11)
    ]


def test_what_is_not_taken_of_a_question_is_left_out() -> None:
    nothing = float("nan")
    found = Resampling(4).estimate(np.array([1.0, nothing, 0.0, nothing]))
    assert found.value == 0.5
    assert Resampling(2).difference(np.array([nothing, nothing]), np.ones(2)) == NOT_MEASURED
