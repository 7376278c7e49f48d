from __future__ import annotations

import pytest

from eval.checks import GOLDEN, Bound, blocking_checks_pass, check_bounds

GOOD = {
    "recall_at_5": 0.8,
    "precision_at_5": 0.7,
    "latency_p95_ms": 500.0,
    "token_compliance": 1.0,
    "cross_user_safety": 1.0,
    "failed_recalls": 0,
    "degraded_recalls": 0,
}


def test_the_thresholds_of_001_are_enough_and_latency_only_warns() -> None:
    assert blocking_checks_pass(check_bounds(GOOD, GOLDEN))


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("recall_at_5", 0.799),
        ("precision_at_5", 0.699),
        ("token_compliance", 0.99),
        ("cross_user_safety", 0.99),
        ("failed_recalls", 1),
        ("recall_at_5", None),
    ],
)
def test_each_blocking_figure_fails_the_run_alone(metric: str, value: float | None) -> None:
    assert not blocking_checks_pass(check_bounds(GOOD | {metric: value}, GOLDEN))


def test_a_bound_holds_in_its_direction_and_up_to_rounding() -> None:
    at_most, at_least = Bound("x", 40, "warning", at_most=True), Bound("x", 1, "blocking")
    assert [each.passed for each in check_bounds({"x": 40.0}, [at_most])] == [True]
    assert [each.passed for each in check_bounds({"x": 40.1}, [at_most])] == [False]
    assert [each.passed for each in check_bounds({"x": 1 - 1e-12}, [at_least])] == [True]
