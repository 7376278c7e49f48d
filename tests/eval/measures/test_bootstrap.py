from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.statistics import bootstrap_interval, ratio_of_sums, with_interval

COUNTS = st.lists(
    st.integers(0, 5).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))),
    min_size=1,
    max_size=30,
)


@given(COUNTS)
def test_an_interval_is_ordered_and_within_the_possible(counts: list[tuple[float, float]]) -> None:
    found = bootstrap_interval(counts)
    if found is None:
        assert ratio_of_sums(counts) is None
    else:
        assert 0 <= found[0] <= found[1] <= 1


def test_more_units_make_it_narrower_and_it_is_always_the_same() -> None:
    few, many = (
        bootstrap_interval([(1, 1), (0, 1)] * 10),
        bootstrap_interval([(1, 1), (0, 1)] * 1000),
    )
    assert few is not None
    assert many is not None
    assert few[0] < many[0] < 0.5 < many[1] < few[1]
    assert bootstrap_interval([(1, 1), (0, 1)] * 10) == few
    assert many == pytest.approx((0.478, 0.522), abs=0.005)


def test_units_are_drawn_whole() -> None:
    """Ten hits in one thread tell less than ten hits in ten."""
    together = bootstrap_interval([(10, 10), *[(0, 1)] * 10])
    apart = bootstrap_interval([(1, 1)] * 10 + [(0, 1)] * 10)
    assert together is not None
    assert apart is not None
    assert together[1] - together[0] > apart[1] - apart[0]


def test_nothing_to_hit_is_no_figure() -> None:
    assert with_interval("x", [(0, 0)]) == {"x": None, "x_low": None, "x_high": None}
    assert ratio_of_sums([]) is None
