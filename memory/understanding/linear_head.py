"""A linear classifier over hashed features, and its file as `python -m eval.training` writes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Buckets = npt.NDArray[np.intp]


@dataclass(frozen=True)
class LinearHead:
    """`weights` (buckets, labels) as int8, each label's multiplied by its `scale`."""

    weights: npt.NDArray[np.int8]
    scale: Array
    intercept: Array


@cache
def load_head(path: Path) -> LinearHead:
    """Read once."""
    with np.load(path) as stored:
        return LinearHead(*(stored[part] for part in ("weights", "scale", "intercept")))


def quantised(weights: npt.NDArray[np.float64], intercept: npt.NDArray[np.float64]) -> LinearHead:
    """The head with each label's weights, (labels, buckets), rounded to 255 steps."""
    scale = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
    rounded = np.rint(weights / scale[:, None]).astype(np.int8)
    return LinearHead(rounded.T.copy(), scale.astype(np.float32), intercept.astype(np.float32))


def save_head(head: LinearHead, path: Path) -> None:
    parts = {part: getattr(head, part) for part in ("weights", "scale", "intercept")}
    np.savez_compressed(path, allow_pickle=False, **parts)
