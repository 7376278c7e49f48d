"""Linear heads over n-grams by the ridge logistic regression of the calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval.calibration.logistic import Array, fit
from memory.understanding.left_out import Head
from memory.understanding.ngrams import BUCKETS, buckets

# Relative to the largest: directions below it are rounding.
_SMALLEST = 1e-6


@dataclass(frozen=True)
class Space:
    """The texts in coordinates of as many dimensions as there are texts: a penalty on the length of
    the weights is the same in them, and the fit takes seconds. `axes` leads back."""

    rows: Array
    axes: Array

    @classmethod
    def of(cls, texts: Sequence[str]) -> Space:
        """Each n-gram weighs ln((texts + 1) / (texts that have it + 1)), none that only one has."""
        held = np.zeros((len(texts), BUCKETS))
        for row, text in enumerate(texts):
            held[row, buckets(text)] = 1
        having = held.sum(axis=0)
        rarity = np.log((len(texts) + 1) / (having + 1)) * (having > 1)
        matrix = held * rarity / np.sqrt(np.maximum(held.sum(axis=1, keepdims=True), 1))
        values, vectors = np.linalg.eigh(matrix @ matrix.T)
        kept = values > values[-1] * _SMALLEST
        scale = np.sqrt(values[kept])
        axes = (matrix.T @ vectors[:, kept]) / scale * rarity[:, None]
        return cls(vectors[:, kept] * scale, axes)

    def head(self, labels: Array, chosen: npt.NDArray[np.bool_], ridge: float) -> Head:
        """Fitted on the `chosen` texts alone."""
        beta = fit(self.rows[chosen], labels[chosen], ridge)
        weights = (self.axes @ beta[1:]).astype("<f2").astype(np.float32)
        return Head(round(float(beta[0]), 4), weights)
