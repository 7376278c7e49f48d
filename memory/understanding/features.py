"""What the small models see of a text: hashed n-grams, and what surrounds a gap. Pure."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.understanding.ngrams import fold, ngrams, words

BUCKETS = 2**14
Buckets = npt.NDArray[np.intp]
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|\n+|[^\w\s]")
_FIRST_WORDS = 4
_LONGEST = 20
# Where a segment is taken to stand for what must not depend on whether it is the first.
NOT_FIRST = 1
# Tokens to either side of a gap that are looked at.
_AROUND = range(-3, 4)
_FAR = 12


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


def sentence_features(text: str) -> list[str]:
    """Of a sentence or a part of one, whatever stands beside it."""
    tokens = words(text)
    return [
        *ngrams(text),
        *(f"p{at}={_at(tokens, at)}" for at in range(_FIRST_WORDS)),
        f"p01={' '.join(tokens[:2])}",
        f"p012={' '.join(tokens[:3])}",
        f"last={tokens[-1] if tokens else ''}",
        f"length={min(len(tokens), _LONGEST) // 2}",
        f"asks={'?' in text}",
    ]


def segment_features(text: str, index: int, following: int) -> Buckets:
    """Of a segment that is the `index`-th of its message, with so many `following` it."""
    features = [
        *sentence_features(text),
        f"digit={any(each.isdigit() for each in text)}",
        f"name={any(each[0].isupper() for each in text.split()[1:])}",
        f"index={min(index, 3)}",
        f"following={min(following, 2)}",
    ]
    return hashed(features)


def tokens_of(text: str) -> list[Token]:
    return [
        Token(each[0], each.start(), each.end(), fold(each[0]), _shape(each[0]))
        for each in _TOKEN.finditer(text)
    ]


def gap_features(tokens: Sequence[Token], gap: int) -> Buckets:
    """Of the gap before the token of this number, which is not the first."""
    around = {at: tokens[gap + at] for at in _AROUND if 0 <= gap + at < len(tokens)}
    word = {at: around[at].folded if at in around else "^" for at in _AROUND}
    shape = {at: around[at].shape if at in around else "^" for at in _AROUND}
    before, after = _run(tokens, gap - 1, -1), _run(tokens, gap, 1)
    apart = tokens[gap].start > tokens[gap - 1].end
    features = [
        *(f"w{at}={word[at]}" for at in _AROUND),
        *(f"s{at}={shape[at]}" for at in _AROUND),
        f"b={word[-1]} {word[0]}",
        f"c={word[0]} {word[1]}",
        f"d={word[-2]} {word[-1]}",
        f"e={shape[-1]} {word[0]} {word[1]}",
        f"h={word[1]} {word[2]}",
        f"x={shape[-1]} {shape[0]}",
        f"y={shape[-1]} {word[0]}",
        f"z={shape[-1]} {word[0]} {shape[1]}",
        f"before={min(before, 8)}",
        f"after={min(after, 8)}",
        f"both={min(before, 4)},{min(after, 4)},{shape[-1]}",
        f"from={min(gap, 6)}",
        f"to={min(len(tokens) - gap, 6)}",
        f"apart={apart}{shape[-1]}",
    ]
    return hashed(features)


def hashed(features: Sequence[str], buckets: int = BUCKETS) -> Buckets:
    """Each feature's bucket once, in order."""
    encoded = {each.encode("utf-8", "surrogatepass") for each in features}
    return np.array(sorted({zlib.crc32(each) % buckets for each in encoded}), np.intp)


def _at(tokens: Sequence[str], index: int) -> str:
    return tokens[index] if index < len(tokens) else "$"


def _run(tokens: Sequence[Token], start: int, step: int) -> int:
    """How many words stand in a row from there, up to _FAR."""
    end = min(len(tokens), start + _FAR) if step > 0 else max(-1, start - _FAR)
    return next((n for n, at in enumerate(range(start, end, step)) if not tokens[at].is_word), _FAR)


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
