from __future__ import annotations

import pytest

from eval.bench.server import growth_metrics


def test_what_does_not_grow_has_no_growth() -> None:
    figures = growth_metrics([(5.0 * at, 200.0) for at in range(30)])

    assert figures["growth_mb"] == 0
    assert figures["growth_mb_an_hour"] == 0


def test_a_leak_is_told_by_the_hour() -> None:
    figures = growth_metrics([(5.0 * at, 200.0 + 0.05 * at) for at in range(120)])

    assert figures["growth_mb_an_hour"] == pytest.approx(36.0)
    assert figures["growth_mb"] is not None
    assert figures["growth_mb"] > 0


def test_what_is_filled_at_first_does_not_count() -> None:
    warming = [(5.0 * at, 100.0 + 10 * at) for at in range(9)]
    figures = growth_metrics([*warming, *((5.0 * at, 200.0) for at in range(9, 30))])

    assert figures["growth_mb"] == 0


def test_too_few_samples_say_nothing() -> None:
    assert growth_metrics([(0.0, 1.0), (5.0, 1.0)])["growth_mb"] is None
