"""Reciprocal rank fusion: one candidate pool from several rankings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

RRF_K = 60

Key = TypeVar("Key", bound=Hashable)


def fuse(rankings: Sequence[Sequence[Key]], k: int = RRF_K) -> list[tuple[Key, float]]:
    """Every key of any ranking with its score Σ 1 / (k + rank), ranks from 1, best first.

    Cormack, Clarke and Büttcher, SIGIR 2009. At most len(rankings) / (k + 1), so no
    threshold on relevance can be put on it. Ties keep the order of first appearance.
    """
    scores: dict[Key, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] += 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
