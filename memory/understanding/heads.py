"""What the heads on the encoder decide between, and where each stands among their logits. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from memory.understanding.reading import BANKS, CATEGORIES, COMMANDS, KINDS, LIFETIMES

Array = npt.NDArray[np.float32]
Label = TypeVar("Label", bound=str)
# Of each token: whether a segment begins with it, and whether it belongs to the words that a
# command is about, to the old or the new words of an edit, or to a secret.
TOKEN_LABELS = ("begins", "object", "old", "new", "secret")
# Of each segment; a question with one label is answered yes or no.
SEGMENT_LABELS: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS,
    "category": CATEGORIES,
    "bank": BANKS,
    "lifetime": LIFETIMES,
    "alone": ("yes",),
    "points_back": ("yes",),
    "command": ("none", *COMMANDS),
}
_ENDS = accumulate((len(each) for each in SEGMENT_LABELS.values()), initial=0)
PLACES: Mapping[str, slice] = {
    name: slice(*ends) for name, ends in zip(SEGMENT_LABELS, pairwise(_ENDS), strict=True)
}
SEGMENT_WIDTH = max(each.stop for each in PLACES.values())


def shares_of(question: str, logits: Array) -> dict[str, float]:
    """The probability of each label of a question, from the logits of one segment."""
    labels = SEGMENT_LABELS[question]
    return dict(zip(labels, softmax(logits[PLACES[question]]).tolist(), strict=True))


def yes(question: str, logits: Array) -> float:
    return float(sigmoid(logits[PLACES[question]])[0])


def likeliest(shares: Mapping[Label, float]) -> Label:
    return max(shares, key=lambda label: shares[label])


def softmax(logits: Array) -> Array:
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True), np.float32)


def sigmoid(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def pooled(hidden: Array, spans: Sequence[tuple[int, int]]) -> Array:
    """(spans, 3 · width): of each the mean of its rows and the first of them, and row 0, which
    stands for the whole text."""
    return np.array(
        [
            np.concatenate([hidden[start:end].mean(axis=0), hidden[start], hidden[0]])
            for start, end in spans
        ]
    )
