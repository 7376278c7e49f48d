"""Logistic regression by Newton's method."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

RIDGE = 0.1
STEPS = 50
CLOSE_ENOUGH = 1e-8


def fit(features: Array, labels: Array, ridge: float = RIDGE) -> Array:
    """The intercept and one coefficient for each column of `features`, shape (rows, columns).

    Maximises Σ (yᵢ·ln pᵢ + (1 − yᵢ)·ln(1 − pᵢ)) − ridge/2·Σ βⱼ², the intercept not
    penalised, with p = σ(Xβ) and the step (XᵀSX + ridge·I)⁻¹·(Xᵀ(y − p) − ridge·β),
    S = diag(p·(1 − p)): iteratively reweighted least squares (Hastie, Tibshirani and
    Friedman, The Elements of Statistical Learning, 4.4.1), halved while it does not
    climb. The ridge keeps a column of zeros at 0 and separable data finite.
    """
    x = np.column_stack([np.ones(len(features)), features])
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = 0.0
    beta = np.zeros(x.shape[1])
    reached = _objective(x, labels, beta, penalty)
    for _ in range(STEPS):
        p = probabilities(x, beta)
        gradient = x.T @ (labels - p) - penalty * beta
        curvature = (x.T * (p * (1 - p))) @ x + np.diag(penalty + CLOSE_ENOUGH)
        step = np.linalg.solve(curvature, gradient)
        climbed = _objective(x, labels, beta + step, penalty)
        while climbed < reached and np.abs(step).max() > CLOSE_ENOUGH:
            step /= 2
            climbed = _objective(x, labels, beta + step, penalty)
        beta, reached = beta + step, climbed
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    return beta


def probabilities(x: Array, beta: Array) -> Array:
    """σ(Xβ), without overflow: σ(z) = (1 + tanh(z/2)) / 2."""
    return np.asarray((1 + np.tanh(x @ beta / 2)) / 2)


def _objective(x: Array, labels: Array, beta: Array, penalty: Array) -> float:
    z = x @ beta
    likelihood = (labels * z - np.logaddexp(0, z)).sum()
    return float(likelihood - (penalty * beta**2).sum() / 2)
