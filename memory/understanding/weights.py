"""The trained weights, as `python -m eval.training` writes them. See the model card beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.understanding.features import Buckets
from memory.understanding.reading import BANKS, CATEGORIES, KINDS, LIFETIMES

FILE = Path(__file__).parent / "reading.npz"
# What each head decides between; the first of two is the one that does not hold.
HEADS: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS,
    "category": CATEGORIES,
    "bank": BANKS,
    "lifetime": LIFETIMES,
    "alone": ("no", "yes"),
    "boundary": ("no", "yes"),
    "points_back": ("no", "yes"),
}
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Head:
    """A linear classifier over hashed features: `weights` (buckets, labels) as int8, each label's
    multiplied by its `scale`."""

    weights: npt.NDArray[np.int8]
    scale: Array
    intercept: Array

    def probabilities(self, buckets: Buckets) -> Array:
        """The softmax of `logits`."""
        logits = self.logits(buckets)
        shares = np.exp(logits - logits.max())
        return np.asarray(shares / shares.sum(), dtype=np.float32)

    def logits(self, buckets: Buckets) -> Array:
        """intercept + Σ weights of the buckets ÷ √(how many there are)."""
        told = self.weights[buckets].sum(axis=0, dtype=np.float32) * self.scale
        return np.asarray(self.intercept + told / np.sqrt(max(len(buckets), 1)), np.float32)

    def yes(self, buckets: Buckets) -> float:
        """The probability of the second of two labels."""
        return float(self.probabilities(buckets)[1])


@cache
def load_heads(path: Path = FILE) -> Mapping[str, Head]:
    """All heads of the file by their names, read once."""
    with np.load(path) as stored:
        return {
            name: Head(*(stored[f"{name}.{part}"] for part in ("weights", "scale", "intercept")))
            for name in dict.fromkeys(key.partition(".")[0] for key in stored if "." in key)
        }


def quantised(weights: npt.NDArray[np.float64], intercept: npt.NDArray[np.float64]) -> Head:
    """The head with each label's weights, (labels, buckets), rounded to 255 steps."""
    scale = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
    rounded = np.rint(weights / scale[:, None]).astype(np.int8)
    return Head(rounded.T.copy(), scale.astype(np.float32), intercept.astype(np.float32))


def save_heads(heads: Mapping[str, Head], path: Path = FILE) -> None:
    parts = {
        f"{name}.{part}": getattr(head, part)
        for name, head in heads.items()
        for part in ("weights", "scale", "intercept")
    }
    np.savez_compressed(path, allow_pickle=False, **parts)


def most_probable(labels: Sequence[str], shares: Array) -> str:
    return labels[int(shares.argmax())]
