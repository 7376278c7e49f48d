"""Linear models over hashed word and character n-grams: what they see of a text, and their
weights."""

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

from memory.understanding.types import BANKS, CATEGORIES, KINDS, LIFETIMES

NGRAM_BUCKETS = 2**13
# Words and pairs of them; within a word, with its ends, three to five characters.
_WORDS, _CHARACTERS = (1, 2), (3, 4, 5)
_WORD_TOKEN = re.compile(r"\w+(?:'\w+)*|[^\w\s]")
_DIGIT = re.compile(r"\d")
_QUOTES = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„«»", '"')})


def buckets(text: str) -> npt.NDArray[np.intp]:
    """The buckets of all its n-grams, each once, in order."""
    hashed = {
        zlib.crc32(gram.encode("utf-8", "surrogatepass")) % NGRAM_BUCKETS for gram in ngrams(text)
    }
    return np.array(sorted(hashed), dtype=np.intp)


def fold_words(text: str) -> list[str]:
    """Its words and marks, folded."""
    return _WORD_TOKEN.findall(fold_text(text))


def ngrams(text: str) -> Iterator[str]:
    """Of its words and pairs of them, and of the characters within a word."""
    tokens = fold_words(text)
    yield from _word_ngrams(["^", *tokens, "$"])
    for token in tokens:
        yield from character_ngrams(f" {token} ")


def _word_ngrams(tokens: list[str]) -> Iterator[str]:
    for size in _WORDS:
        for at in range(len(tokens) - size + 1):
            yield f"w{size} {' '.join(tokens[at : at + size])}"


def character_ngrams(token: str, sizes: tuple[int, ...] = _CHARACTERS) -> Iterator[str]:
    for size in sizes:
        for at in range(len(token) - size + 1):
            yield f"c{token[at : at + size]}"


def fold_text(text: str) -> str:
    """Without case and compatibility forms, every digit a 0."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return _DIGIT.sub("0", folded)


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
    tokens = fold_words(text)
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
    return hash_features(features)


def tokenize(text: str) -> list[Token]:
    return [
        Token(each[0], each.start(), each.end(), fold_text(each[0]), _shape(each[0]))
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
    return hash_features(features)


def hash_features(features: Sequence[str], buckets: int = BUCKETS) -> Buckets:
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


# Written by `python -m eval.training`; see the model card beside it.
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
class LinearHead:
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
def load_heads(path: Path = FILE) -> Mapping[str, LinearHead]:
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


def save_heads(heads: Mapping[str, LinearHead], path: Path = FILE) -> None:
    parts = {
        f"{name}.{part}": getattr(head, part)
        for name, head in heads.items()
        for part in ("weights", "scale", "intercept")
    }
    np.savez_compressed(path, allow_pickle=False, **parts)


def most_probable_label(labels: Sequence[str], shares: Array) -> str:
    return labels[int(shares.argmax())]
