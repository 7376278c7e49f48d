"""Linear models over hashed words and characters: what they see of a text, and their weights."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

_DIGIT = re.compile(r"\d")
_QUOTES = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„«»", '"')})
Buckets = npt.NDArray[np.intp]
Array = npt.NDArray[np.float32]


def character_ngrams(token: str, sizes: tuple[int, ...]) -> Iterator[str]:
    for size in sizes:
        for at in range(len(token) - size + 1):
            yield f"c{token[at : at + size]}"


def fold_text(text: str) -> str:
    """Without case and compatibility forms, every digit a 0."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return _DIGIT.sub("0", folded)


@dataclass(frozen=True)
class LinearHead:
    """A linear classifier over hashed features: `weights` (buckets, labels) as int8, each label's
    multiplied by its `scale`."""

    weights: npt.NDArray[np.int8]
    scale: Array
    intercept: Array


@cache
def load_heads(path: Path) -> Mapping[str, LinearHead]:
    """All heads of the file by their names, read once."""
    with np.load(path) as stored:
        return {
            name: LinearHead(
                *(stored[f"{name}.{part}"] for part in ("weights", "scale", "intercept"))
            )
            for name in dict.fromkeys(key.partition(".")[0] for key in stored if "." in key)
        }


def quantise(weights: npt.NDArray[np.float64], intercept: npt.NDArray[np.float64]) -> LinearHead:
    """The head with each label's weights, (labels, buckets), rounded to 255 steps."""
    scale = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
    rounded = np.rint(weights / scale[:, None]).astype(np.int8)
    return LinearHead(rounded.T.copy(), scale.astype(np.float32), intercept.astype(np.float32))


def save_heads(heads: Mapping[str, LinearHead], path: Path) -> None:
    parts = {
        f"{name}.{part}": getattr(head, part)
        for name, head in heads.items()
        for part in ("weights", "scale", "intercept")
    }
    np.savez_compressed(path, allow_pickle=False, **parts)
