from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.statistics import RIDGE, fit_logistic, logistic_probabilities


def _with_ones(features: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(features)), features])


def test_it_finds_the_coefficients_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(20_000, 2))
    truth = np.array([-1.0, 2.0, -0.5])
    labels = (rng.random(20_000) < logistic_probabilities(_with_ones(features), truth)).astype(
        float
    )
    beta = fit_logistic(features, labels)
    assert beta == pytest.approx(truth, abs=0.1)


def test_an_intercept_alone_is_the_log_odds_of_the_base_rate() -> None:
    labels = np.array([1.0] * 3 + [0.0] * 7)
    beta = fit_logistic(np.zeros((10, 1)), labels)
    assert beta[0] == pytest.approx(np.log(3 / 7), abs=1e-6)
    assert beta[1] == pytest.approx(0.0, abs=1e-9)


def test_separable_data_stays_finite() -> None:
    features = np.array([[-1.0], [-2.0], [1.0], [2.0]])
    beta = fit_logistic(features, np.array([0.0, 0.0, 1.0, 1.0]))
    assert np.isfinite(beta).all()
    assert beta[1] > 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_nothing_nearby_is_more_likely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, labels = rng.normal(size=(40, 2)), rng.integers(0, 2, 40).astype(float)
    beta = fit_logistic(features, labels)

    def objective(at: np.ndarray) -> float:
        z = _with_ones(features) @ at
        return float((labels * z - np.logaddexp(0, z)).sum() - RIDGE * (at[1:] ** 2).sum() / 2)

    for direction in np.vstack([np.eye(3), -np.eye(3)]):
        assert objective(beta) >= objective(beta + 0.01 * direction) - 1e-9
