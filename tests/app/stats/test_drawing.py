from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ops.stats import (
    block_bar,
    format_count,
    format_dollars,
    format_seconds,
    format_share,
    sparkline,
)

NUMBERS = st.lists(st.floats(0, 1e9), min_size=1, max_size=60)


def test_a_sparkline_tells_a_quiet_day_from_a_small_one() -> None:
    assert sparkline([0, 1, 4, 8]) == " ▂▅█"
    assert sparkline([0, 0]) == ""
    assert sparkline([]) == ""


def test_more_days_than_places_stand_together() -> None:
    assert sparkline([2, 2, 0, 0, 4, 4], width=3) == "▅ █"


@given(NUMBERS, st.integers(1, 20))
def test_a_sparkline_is_never_wider_than_its_place(values: list[float], width: int) -> None:
    assert len(sparkline(values, width)) <= width


def test_a_bar_grows_by_eighths() -> None:
    assert block_bar(8, 8, 3) == "███"
    assert block_bar(4, 8, 3) == "█▌"
    assert block_bar(0.001, 8, 3) == "▏"
    assert block_bar(0, 8, 3) == block_bar(3, 0, 3) == ""


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.integers(1, 40))
def test_a_bar_is_never_wider_than_its_place(value: float, more: float, width: int) -> None:
    assert len(block_bar(value, value + more, width)) <= width


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "–"), (0.0421, "42 ms"), (1.25, "1.2 s"), (90, "1.5 min"), (7200, "2.0 h"),
     (129_600, "1.5 d")],
)  # fmt: skip
def test_seconds_are_told_in_the_unit_that_reads_best(value: float | None, told: str) -> None:
    assert format_seconds(value) == told


def test_counts_shares_and_dollars() -> None:
    assert format_count(12_345.0) == "12,345"
    assert (format_share(1, 8), format_share(1, 0)) == ("12%", "–")
    assert (format_dollars(0.00123), format_dollars(12.5), format_dollars(0)) == (
        "$0.0012",
        "$12.50",
        "$0.00",
    )
