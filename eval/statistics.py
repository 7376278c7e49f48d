"""Logistic regression by Newton's method, and bootstrap intervals of figures and of differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from eval.metrics import Metrics

Array = npt.NDArray[np.float64]

RIDGE = 0.1
STEPS = 50
CLOSE_ENOUGH = 1e-8


def fit_logistic(features: Array, labels: Array, ridge: float = RIDGE) -> Array:
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
        p = logistic_probabilities(x, beta)
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


def logistic_probabilities(x: Array, beta: Array) -> Array:
    """σ(Xβ), without overflow: σ(z) = (1 + tanh(z/2)) / 2."""
    return np.asarray((1 + np.tanh(x @ beta / 2)) / 2)


def _objective(x: Array, labels: Array, beta: Array, penalty: Array) -> float:
    z = x @ beta
    likelihood = (labels * z - np.logaddexp(0, z)).sum()
    return float(likelihood - (penalty * beta**2).sum() / 2)


RESAMPLES = 2_000
SEED = 20_261_121
COVERED = (2.5, 97.5)

# Of one unit that is drawn whole (an utterance, a thread): what hit, and out of how many.
Count: TypeAlias = tuple[float, float]


def ratio_of_sums(counts: Sequence[Count]) -> float | None:
    """Σ hits / Σ out of; None where there is nothing to hit."""
    total = sum(of for _, of in counts)
    return sum(hits for hits, _ in counts) / total if total else None


def bootstrap_interval(counts: Sequence[Count]) -> tuple[float, float] | None:
    """The 2.5th and 97.5th percentile (Efron 1979) of the ratio over RESAMPLES draws of as many
    units, with replacement and always the same ones; draws with nothing to hit are left out."""
    if ratio_of_sums(counts) is None:
        return None
    hits, of = np.asarray(counts, dtype=np.float64).T
    drawn = np.random.default_rng(SEED).integers(len(hits), size=(RESAMPLES, len(hits)))
    totals = of[drawn].sum(axis=1)
    ratios = hits[drawn].sum(axis=1)[totals > 0] / totals[totals > 0]
    low, high = np.percentile(ratios, COVERED)
    return float(low), float(high)


def with_interval(name: str, counts: Sequence[Count]) -> Metrics:
    """The ratio under its name, and where it lies with 95% confidence."""
    low, high = bootstrap_interval(counts) or (None, None)
    return {name: ratio_of_sums(counts), f"{name}_low": low, f"{name}_high": high}


CONFIDENT = 95.0
NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Estimate:
    """A figure and where it lies with 95 % confidence; all None where it was not measured."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def excludes_zero(self) -> bool:
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


NOT_MEASURED = Estimate(None, None, None)


class Resampling:
    """RESAMPLES draws of as many questions, with replacement and always the same ones."""

    def __init__(self, questions: int) -> None:
        chance = np.full(questions, 1 / questions)
        drawn = np.random.default_rng(SEED).multinomial(questions, chance, size=RESAMPLES)
        self._drawn = drawn.astype(float)

    @staticmethod
    @lru_cache(maxsize=8)
    def of(questions: int) -> Resampling:
        """The draws for so many questions are always the same: they are made once."""
        return Resampling(questions)

    def estimate(self, column: Array) -> Estimate:
        """Of a mean over the questions, shape (questions,); NaN where it is not taken."""
        if not np.isfinite(column).any():
            return NOT_MEASURED
        return _estimate(float(np.nanmean(column)), self._means(column[:, None])[:, 0])

    def difference(self, column: Array, base: Array) -> Estimate:
        """Of the mean of `column` less that of `base`, both over the same questions."""
        if not np.isfinite(column).any() or not np.isfinite(base).any():
            return NOT_MEASURED
        drawn = self._means(np.column_stack([column, base]))
        return _estimate(float(np.nanmean(column) - np.nanmean(base)), drawn[:, 0] - drawn[:, 1])

    def beyond_chance(self, columns: Array, base: Array) -> list[bool]:
        """Which of many settings, shape (questions, settings), differ from the base by more than
        the luckiest of as many equal ones would, in 95 of 100 resamples."""
        drawn = self._means(np.column_stack([columns, base]))
        found = _column_means(np.column_stack([columns, base]))
        differences, seen = drawn[:, :-1] - drawn[:, -1:], found[:-1] - found[-1]
        spread = np.maximum(np.nanstd(differences, axis=0), NO_SPREAD)
        strays = np.abs(differences - seen) / spread
        strays[:, spread <= NO_SPREAD] = 0.0
        bound = np.percentile(np.nan_to_num(strays).max(axis=1), CONFIDENT)
        told = (np.abs(seen) / spread > bound) & (np.abs(seen) > NO_SPREAD)
        return [bool(each) for each in told]

    def _means(self, columns: Array) -> Array:
        """The mean of each column in each draw, shape (draws, columns)."""
        taken = np.isfinite(columns)
        totals = self._drawn @ np.where(taken, columns, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(totals / (self._drawn @ taken.astype(float)))


def _column_means(columns: Array) -> Array:
    taken = np.isfinite(columns)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(taken, columns, 0.0).sum(axis=0) / taken.sum(axis=0))


def _estimate(value: float, drawn: Array) -> Estimate:
    low, high = np.nanpercentile(drawn, COVERED)
    return Estimate(value, float(low), float(high))
