"""Linear models over hashed words and characters: what they see of a text, and their weights."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

_CHARACTERS = (3, 4, 5)
_DIGIT = re.compile(r"\d")
_QUOTES = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„«»", '"')})
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|\n+|[^\w\s]")
Buckets = npt.NDArray[np.intp]
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Token:
    """A word, a mark or a run of line ends, at `start` to `end` of its text."""

    text: str
    start: int
    end: int
    folded: str
    shape: str

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()


def tokenize(text: str) -> list[Token]:
    return [
        Token(each[0], each.start(), each.end(), fold_text(each[0]), _shape(each[0]))
        for each in _TOKEN.finditer(text)
    ]


def _shape(token: str) -> str:
    """ "Berlin" → "Aa4", "USA" → "A3", "tea" → "a3", "2024" → "0000"; marks stay as they are."""
    if token[0] == "\n":
        return "newline"
    if token[0].isdigit():
        return "0" * min(len(token), 4)
    if not token[0].isalpha():
        return token
    case = "Aa" if token[0].isupper() and token[1:].islower() else "A" if token.isupper() else "a"
    return f"{case}{min(len(token), 4)}"


def character_ngrams(token: str, sizes: tuple[int, ...] = _CHARACTERS) -> Iterator[str]:
    for size in sizes:
        for at in range(len(token) - size + 1):
            yield f"c{token[at : at + size]}"


def fold_text(text: str) -> str:
    """Without case and compatibility forms, every digit a 0."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return _DIGIT.sub("0", folded)


def hash_features(features: Sequence[str], buckets: int) -> Buckets:
    """Each feature's bucket once, in order."""
    encoded = {each.encode("utf-8", "surrogatepass") for each in features}
    return np.array(sorted({zlib.crc32(each) % buckets for each in encoded}), np.intp)


@dataclass(frozen=True)
class LinearHead:
    """A linear classifier over hashed features: `weights` (buckets, labels) as int8, each label's
    multiplied by its `scale`."""

    weights: npt.NDArray[np.int8]
    scale: Array
    intercept: Array

    def logits(self, buckets: Buckets) -> Array:
        """intercept + Σ weights of the buckets ÷ √(how many there are)."""
        told = self.weights[buckets].sum(axis=0, dtype=np.float32) * self.scale
        return np.asarray(self.intercept + told / np.sqrt(max(len(buckets), 1)), np.float32)


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
