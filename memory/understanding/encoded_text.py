"""A text as the encoder sees it, and what its heads say of each place and piece of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, groupby, pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from memory.understanding.multilingual_encoder import TOKENS, MultilingualEncoder, text_input
from memory.understanding.types import BANKS, CATEGORIES, COMMANDS, KINDS, LIFETIMES

Array = npt.NDArray[np.float32]
Span = tuple[int, int]
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
_LAST_PLACES = accumulate((len(each) for each in SEGMENT_LABELS.values()), initial=0)
PLACES: Mapping[str, slice] = {
    name: slice(*ends) for name, ends in zip(SEGMENT_LABELS, pairwise(_LAST_PLACES), strict=True)
}
SEGMENT_WIDTH = max(each.stop for each in PLACES.values())
_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_WORD_REST = re.compile(r"(?:(?<=\w)\w|(?<=\S)[^\w\s]\w)*")
# A window ends behind one of these where one stands in its last part.
_ENDS = ".!?…\n"
_SHORTEST = TOKENS // 2
# Texts whose encoding is kept: what a message says is asked after what it holds of secrets.
_KEPT = 4
_MARKED_FROM = {"object": 0.5, "old": 0.3, "new": 0.02}


@dataclass(frozen=True)
class TextWord:
    """A word or a mark, at `start` to `end` of its text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()


@dataclass(frozen=True)
class TokenWindow:
    """Tokens `first` to `first` + len(shares), which were seen together; `hidden` also has the
    special one before them."""

    first: int
    hidden: Array
    shares: Array

    @property
    def end(self) -> int:
        return self.first + len(self.shares)


@dataclass(frozen=True)
class EncodedText:
    text: str
    offsets: Sequence[Span]
    windows: Sequence[TokenWindow]
    encoder: MultilingualEncoder

    def gaps(self) -> list[tuple[TextWord, float]]:
        """Each word and mark, with how probable it is that a segment begins with it."""
        at = TOKEN_LABELS.index("begins")
        shares = [share for window in self.windows for share in window.shares[:, at].tolist()]
        found = [(each, bisect_right(self._ends, each.start)) for each in find_words(self.text)]
        return [(word, shares[token]) for word, token in found if token < len(shares)]

    def segments(self, spans: Sequence[Span]) -> list[Array]:
        """The logits of the segments that stand from one place of the text to another."""
        found = [self._segment(*span) for span in spans]
        vectors = np.array(found) if found else np.zeros((0, 1), np.float32)
        return list(self.encoder.head("segment", vectors)) if found else []

    def marked(self, name: str, start: int, end: int) -> Span | None:
        """The run of words between two places that most probably carries a label; None where no
        word does."""
        tokens = self._tokens(start, end)
        column = TOKEN_LABELS.index(name)
        gains = [self._share(at, column) - _MARKED_FROM[name] for at in tokens]
        run = best_run(gains)
        if run is None:
            return None
        first, last = tokens[run[0]], tokens[run[1] - 1]
        return self._word_start(first), self._word_end(last)

    def runs(self, name: str, least: float) -> Iterator[tuple[Span, float]]:
        """Where each word or row of words stands whose tokens carry a label so probably, and how
        probably on average."""
        column = TOKEN_LABELS.index(name)
        shares = [share for window in self.windows for share in window.shares[:, column].tolist()]
        for carries, run in groupby(range(len(shares)), lambda at: shares[at] >= least):
            tokens = list(run)
            start, end = self._word_start(tokens[0]), self._word_end(tokens[-1])
            whole = range(bisect_right(self._ends, start), bisect_left(self._starts, end))
            share = sum(shares[at] for at in whole) / max(1, len(whole))
            if carries and share >= least:
                yield (start, end), share

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.offsets]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self.offsets]

    def _tokens(self, start: int, end: int) -> list[int]:
        """Those of the window in which the first of them stands."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        if first >= last:
            return []
        return list(range(first, min(last, self._window(first).end)))

    def _segment(self, start: int, end: int) -> Array:
        tokens = self._tokens(start, end) or [
            min(bisect_right(self._ends, start), len(self._ends) - 1)
        ]
        window = self._window(tokens[0])
        first, last = tokens[0] - window.first + 1, tokens[-1] - window.first + 2
        return np.asarray(pooled(window.hidden, [(first, last)])[0])

    def _window(self, token: int) -> TokenWindow:
        return self.windows[bisect_right([each.first for each in self.windows], token) - 1]

    def _share(self, token: int, column: int) -> float:
        window = self._window(token)
        return float(window.shares[token - window.first, column])

    def _word_start(self, token: int) -> int:
        at = self.offsets[token][0]
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        while at > 0 and self.text[at - 1].isalnum() and self.text[at].isalnum():
            at -= 1
        return at

    def _word_end(self, token: int) -> int:
        """An address, or what is joined by a mark, is one word."""
        end = self.offsets[token][1]
        rest = _WORD_REST.match(self.text, end)
        return rest.end() if rest else end


def find_words(text: str) -> list[TextWord]:
    return [TextWord(each[0], each.start(), each.end()) for each in _WORD.finditer(text)]


@lru_cache(_KEPT)
def encode_text(text: str, encoder: MultilingualEncoder) -> EncodedText:
    """All of the text, in windows that end where a sentence does."""
    tokens = encoder.tokens(text)
    cuts = list(_cuts(text, tokens.offsets))
    rows = [text_input(tokens.ids[start:end]) for start, end in cuts]
    windows = []
    for (start, _), hidden in zip(cuts, encoder.run(rows), strict=True):
        shares = sigmoid(encoder.head("token", hidden[1:-1]))
        windows.append(TokenWindow(start, hidden, shares))
    return EncodedText(text, tokens.offsets, windows, encoder)


def logits_alone(texts: Sequence[str], encoder: MultilingualEncoder) -> list[Array]:
    """Those of each text as one segment; of a longer one than a window its beginning."""
    rows = [text_input(encoder.tokens(each).ids[:TOKENS]) for each in texts]
    vectors = [pooled(each, [(1, max(2, len(each) - 1))])[0] for each in encoder.run(rows)]
    return list(encoder.head("segment", np.array(vectors)))


def _cuts(text: str, offsets: Sequence[Span]) -> Iterator[Span]:
    start = 0
    while start < len(offsets):
        end = min(start + TOKENS, len(offsets))
        if end < len(offsets):
            ends = (
                at for at in range(end, start + _SHORTEST, -1) if _is_end(text, offsets[at - 1])
            )
            end = next(ends, end)
        yield start, end
        start = end


def _is_end(text: str, offset: Span) -> bool:
    start, end = offset
    return any(each in _ENDS for each in text[start:end])


def best_run(gains: Sequence[float]) -> Span | None:
    """The run with the largest sum; None where none is positive."""
    best, run, so_far, opened = 0.0, None, 0.0, 0
    for at, gain in enumerate(gains):
        if so_far <= 0:
            so_far, opened = 0.0, at
        so_far += gain
        if so_far > best:
            best, run = so_far, (opened, at + 1)
    return run


def label_shares(question: str, logits: Array) -> dict[str, float]:
    """The probability of each label of a question, from the logits of one segment."""
    labels = SEGMENT_LABELS[question]
    return dict(zip(labels, softmax(logits[PLACES[question]]).tolist(), strict=True))


def yes_share(question: str, logits: Array) -> float:
    return float(sigmoid(logits[PLACES[question]])[0])


def most_probable(shares: Mapping[Label, float]) -> Label:
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
