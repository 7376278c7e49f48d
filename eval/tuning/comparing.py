"""Whether one setting is better than another, or only luckier: paired bootstrap intervals.

Both are judged on the same questions, and every resample draws the same ones for
both (Efron and Tibshirani 1993; for retrieval, Sakai 2006), so that what makes a
question hard for both does not widen the interval. Of many settings some lie
beyond their own interval by chance: `beyond_chance` takes the largest difference
of each resample as the measure (Romano and Wolf 2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from eval.calibration.logistic import Array
from eval.measures.bootstrap import COVERED, RESAMPLES, SEED

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
