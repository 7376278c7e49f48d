"""Whether a message asks that what it tells, or what was told before, be left out of memory.

Two linear heads over n-grams, with weights from `python -m eval.training`: the first says whether
anything shall be left out, the second whether that is what was said before
(docs/decisions/0023-asked-to-be-left-out.md). Pure.
"""

from __future__ import annotations

import base64
import json
import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from memory.understanding.ngrams import buckets

Wish = Literal["do_not_remember", "points_back"]
FILE = Path(__file__).parent / "left_out.json"
# Of a longer text the beginning and the end are read, where people say how it is meant.
MOST_CHARS = 4000
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True)
class Head:
    """The log-odds are `intercept` + Σ `weights` of the text's n-grams ÷ √(how many there are)."""

    intercept: float
    weights: npt.NDArray[np.float32]

    def log_odds(self, grams: npt.NDArray[np.intp]) -> float:
        told = float(self.weights[grams].sum())
        return self.intercept + told / math.sqrt(max(len(grams), 1))


@dataclass(frozen=True)
class Model:
    """`threshold` is what the first head has to reach."""

    left_out: Head
    points_back: Head
    threshold: float


def asked_to_leave_out(text: str) -> Wish | None:
    """What it asks to be left out; None for all other talk. The sentence that asks for it most
    plainly decides for the message as a whole."""
    model = load_model()
    readings = [buckets(each) for each in passages(text)]
    if max(model.left_out.log_odds(each) for each in readings) < model.threshold:
        return None
    return "points_back" if points_back(text) else "do_not_remember"


def points_back(text: str) -> bool:
    """Whether what it wants to be without is what was said before."""
    return load_model().points_back.log_odds(buckets(text[:MOST_CHARS])) > 0


def passages(text: str) -> list[str]:
    """The text as a whole and each of its sentences, at most 2 · MOST_CHARS characters of it."""
    if len(text) > 2 * MOST_CHARS:
        text = f"{text[:MOST_CHARS]}\n{text[-MOST_CHARS:]}"
    return list(dict.fromkeys([text, *(each for each in _SENTENCE.split(text) if each)]))


@cache
def load_model() -> Model:
    """From the file beside this module, read once."""
    told = json.loads(FILE.read_text(encoding="utf-8"))
    heads = {name: _head(told["heads"][name]) for name in ("left_out", "points_back")}
    return Model(**heads, threshold=told["threshold"])


def _head(told: dict[str, str | float]) -> Head:
    raw = base64.b64decode(str(told["weights"]))
    return Head(float(told["intercept"]), np.frombuffer(raw, dtype="<f2").astype(np.float32))
