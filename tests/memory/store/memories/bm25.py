"""The published formula over lexemes that PostgreSQL gave, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

K1 = 1.2
B = 0.75
MOST_WORDS = 64


@dataclass(frozen=True)
class Document:
    """The lexemes of a text with how often each stands in it, in the order of the text."""

    counts: dict[str, int]

    @property
    def length(self) -> int:
        return sum(self.counts.values())


def rank(
    question: Document, searched: Sequence[Document], corpus: Sequence[Document]
) -> list[tuple[float, float] | None]:
    """BM25 and coverage of each searched document, as shares of what the question could get;
    None for one that holds none of its words.

    Robertson and Zaragoza 2009 with k1 = 1.2, b = 0.75 and the idf of Lucene, over the whole
    corpus, whatever part of it is searched.
    """
    words = list(question.counts)[:MOST_WORDS]
    mean = sum(each.length for each in corpus) / len(corpus)
    idf = {word: _idf(word, corpus, len(corpus)) for word in words}
    mass = sum(idf.values())
    scores: list[tuple[float, float] | None] = []
    for each in searched:
        held = [word for word in words if word in each.counts]
        bm25 = sum(idf[word] * _saturated(each.counts[word], each.length / mean) for word in held)
        covered = sum(idf[word] for word in held)
        scores.append((bm25 / (mass * (K1 + 1)), covered / mass) if held else None)
    return scores


def _idf(word: str, corpus: Sequence[Document], size: int) -> float:
    holding = sum(word in each.counts for each in corpus)
    return math.log(1 + (size - holding + 0.5) / (holding + 0.5))


def _saturated(count: int, length: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length))
