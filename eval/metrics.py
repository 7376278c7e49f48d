"""Measures of ranked retrieval (Manning, Raghavan and Schütze 2008, chapter 8), the figures made of
them, and what is wrong with a case. Pure functions.

A ranking is a list with, for each returned memory, the wanted evidence that it
holds; an empty set is a miss. Means leave out what they cannot be taken of, and
a mean of nothing is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from eval.results import CaseResult

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


def proportion(values: Iterable[bool]) -> float | None:
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


Metrics: TypeAlias = dict[str, float | None]


def ranking_metrics(results: Sequence[CaseResult]) -> Metrics:
    """Recall at 5 and 10 and MRR, over the questions that have an answer."""
    return {
        "recall_at_5": mean(recall_at(5, case.covered, case.wanted) for case in results),
        "recall_at_10": mean(recall_at(10, case.covered, case.wanted) for case in results),
        "mrr": mean(reciprocal_rank(case.covered, case.wanted) for case in results),
    }


def all_evidence_metrics(results: Sequence[CaseResult]) -> Metrics:
    """Recall with the evidence that no stored memory holds counted as missed."""
    return {
        f"recall_at_{k}_all_evidence": mean(_recall_of_all(k, case) for case in results)
        for k in (5, 10)
    }


def _recall_of_all(k: int, case: CaseResult) -> float | None:
    total = len(case.wanted) + case.unreachable
    if not total:
        return None
    return (recall_at(k, case.covered, case.wanted) or 0.0) * len(case.wanted) / total


def latency_metrics(results: Sequence[CaseResult]) -> Metrics:
    latencies = [case.latency_ms for case in results]
    return {
        "latency_p50_ms": percentile(latencies, 50),
        "latency_p95_ms": percentile(latencies, 95),
        "degraded_recalls": sum(case.degraded for case in results),
        "failed_recalls": sum(case.failed for case in results),
    }


def answer_metrics(results: Sequence[CaseResult]) -> Metrics:
    """How right the answers are.

    `precision_at_5` is taken over the questions that have an answer and returned
    something: one that returned nothing is punished by recall. `precision_at_5_all`
    takes in the questions without an answer as well, where whatever is returned is
    wrong, so that such a question counts 0 unless it returned nothing.
    """
    answered = [case for case in results if case.wanted]
    unanswerable = [case for case in results if not case.wanted]
    return {
        "cases": len(results),
        **ranking_metrics(results),
        "precision_at_5": mean(precision_at(5, case.covered) for case in answered),
        "precision_at_5_all": mean(precision_at(5, case.covered) for case in results),
        "no_answer_accuracy": proportion(not case.returned for case in unanswerable),
    }


def cutoff_metrics(results: Sequence[CaseResult], score: float) -> Metrics:
    """What is left of the rankings under a cut-off: the share of hits in it, the share of the
    evidence in it, and the share of questions that it leaves with nothing."""
    kept = [(case.above(score), case.wanted) for case in results]
    return {
        "precision": mean(precision_at(len(ranking), ranking) for ranking, _ in kept),
        "recall": mean(recall_at(len(ranking), ranking, wanted) for ranking, wanted in kept),
        "empty": proportion(not ranking for ranking, _ in kept),
    }


def metrics_by_category(
    results: Sequence[CaseResult], figures: Callable[[Sequence[CaseResult]], Metrics]
) -> dict[str, Metrics]:
    """The figures of each category, in alphabetical order."""
    names = sorted({case.category for case in results})
    return {name: figures([case for case in results if case.category == name]) for name in names}


FAULTS_CUT = 5


def case_faults(case: CaseResult) -> list[str]:
    """What is wrong with a case, in words; nothing where it is right."""
    faults = []
    recall = recall_at(FAULTS_CUT, case.covered, case.wanted)
    if recall is not None and recall < 1:
        faults.append(f"recall at {FAULTS_CUT} is {recall:.2f}")
    if not case.wanted and case.returned:
        faults.append(f"{len(case.returned)} returned, nothing answers")
    misses = sum(not hit for hit in case.covered[:FAULTS_CUT])
    if case.wanted and misses:
        faults.append(f"{misses} of {len(case.covered[:FAULTS_CUT])} beside the point")
    if case.forbidden:
        faults.append(f"{case.forbidden} forbidden")
    if case.foreign:
        faults.append(f"{case.foreign} of another user")
    if not case.within_budget:
        faults.append("over budget")
    if case.failed or case.degraded:
        faults.append("recall failed" if case.failed else "a leg did not answer")
    return faults


def count_faulty(results: Sequence[CaseResult]) -> dict[str, int]:
    """The number of faulty cases by category, in alphabetical order."""
    counted = Counter(case.category for case in results if case_faults(case))
    return dict(sorted(counted.items()))
