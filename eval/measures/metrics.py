"""Measures of ranked retrieval (Manning, Raghavan and Schütze 2008, chapter 8). Pure functions.

A ranking is a list with, for each returned memory, the wanted evidence that it
holds; an empty set is a miss. Means leave out what they cannot be taken of, and
a mean of nothing is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Ranking: TypeAlias = Sequence[frozenset[str]]


def recall_at(k: int, ranking: Ranking, wanted: frozenset[str]) -> float | None:
    """The share of the wanted evidence that the first `k` hold; None where nothing is wanted."""
    if not wanted:
        return None
    return len(frozenset[str]().union(*ranking[:k]) & wanted) / len(wanted)


def precision_at(k: int, ranking: Ranking) -> float | None:
    """The share of hits in what is returned within the first `k`, however few those are; None
    where nothing is returned."""
    top = ranking[:k]
    return sum(bool(covered) for covered in top) / len(top) if top else None


def reciprocal_rank(ranking: Ranking, wanted: frozenset[str]) -> float | None:
    """1 / rank of the first hit, 0 without one; None where nothing is wanted."""
    if not wanted:
        return None
    ranks = (rank for rank, covered in enumerate(ranking, start=1) if covered)
    first = next(ranks, None)
    return 1.0 / first if first else 0.0


def mean(values: Iterable[float | None]) -> float | None:
    """The arithmetic mean of those that are not None."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def share(values: Iterable[bool]) -> float | None:
    return mean(float(value) for value in values)


def percentile(values: Sequence[float], q: float) -> float | None:
    """Linear interpolation between the two nearest values, q in [0, 100]."""
    return float(np.percentile(values, q)) if values else None


def log_loss(labels: Sequence[bool], probabilities: Sequence[float]) -> float | None:
    """−mean(ln p of what happened), p kept within [1e-12, 1 − 1e-12]."""
    if not labels:
        return None
    p = np.clip(np.asarray(probabilities), 1e-12, 1 - 1e-12)
    return float(-np.mean(np.log(np.where(labels, p, 1 - p))))


def area_under_curve(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """The chance that a hit scores above a miss, ties counting half: the Mann-Whitney U of the
    hits over hits × misses. None without one of either."""
    hits = int(np.sum(labels))
    misses = len(labels) - hits
    if not hits or not misses:
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(counts) - (counts - 1) / 2
    rank_sum = float(np.sum(mean_rank[inverse][np.asarray(labels, dtype=bool)]))
    return (rank_sum - hits * (hits + 1) / 2) / (hits * misses)


@dataclass(frozen=True)
class Bin:
    """Judgements of about the same probability: how many, their mean probability, and the share
    of them that were hits."""

    count: int
    probability: float
    share: float


def calibration_bins(
    labels: Sequence[bool], probabilities: Sequence[float], bins: int = 10
) -> list[Bin]:
    """At most `bins` bins of about as many judgements each, the least probable first.

    Equal probabilities share a bin, the one that the middle of their ranks falls into, so that
    the order of the judgements changes nothing.
    """
    values, inverse, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    places = (middle * bins / max(len(labels), 1)).astype(int)[inverse]
    held = [places == place for place in np.unique(places)]
    hits, p = np.asarray(labels, dtype=float), values[inverse]
    return [Bin(int(m.sum()), float(p[m].mean()), float(hits[m].mean())) for m in held]


def expected_calibration_error(
    labels: Sequence[bool], probabilities: Sequence[float], bins: int = 10
) -> float | None:
    """Σ nᵦ/n · |share of hits - mean probability| over the bins of `calibration_bins`: by how much
    the probabilities are off on average (Naeini et al. 2015; Guo et al. 2017), with bins of equal
    mass instead of equal width. None of nothing."""
    if not labels:
        return None
    told = calibration_bins(labels, probabilities, bins)
    return sum(each.count * abs(each.share - each.probability) for each in told) / len(labels)
