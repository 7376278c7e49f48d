"""From results to figures: overall, and by category."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from eval.measures.metrics import mean, percentile, precision_at, recall_at, reciprocal_rank, share
from eval.measures.results import CaseResult

Figures: TypeAlias = dict[str, float | None]


def ranking_figures(results: Sequence[CaseResult]) -> Figures:
    """Recall at 5 and 10 and MRR, over the questions that have an answer."""
    return {
        "recall_at_5": mean(recall_at(5, case.covered, case.wanted) for case in results),
        "recall_at_10": mean(recall_at(10, case.covered, case.wanted) for case in results),
        "mrr": mean(reciprocal_rank(case.covered, case.wanted) for case in results),
    }


def all_evidence_figures(results: Sequence[CaseResult]) -> Figures:
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


def speed_figures(results: Sequence[CaseResult]) -> Figures:
    latencies = [case.latency_ms for case in results]
    return {
        "latency_p50_ms": percentile(latencies, 50),
        "latency_p95_ms": percentile(latencies, 95),
        "degraded_recalls": sum(case.degraded for case in results),
        "failed_recalls": sum(case.failed for case in results),
    }


def answer_figures(results: Sequence[CaseResult]) -> Figures:
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
        **ranking_figures(results),
        "precision_at_5": mean(precision_at(5, case.covered) for case in answered),
        "precision_at_5_all": mean(precision_at(5, case.covered) for case in results),
        "no_answer_accuracy": share(not case.returned for case in unanswerable),
    }


def cut_figures(results: Sequence[CaseResult], score: float) -> Figures:
    """What is left of the rankings under a cut-off: the share of hits in it, the share of the
    evidence in it, and the share of questions that it leaves with nothing."""
    kept = [(case.above(score), case.wanted) for case in results]
    return {
        "precision": mean(precision_at(len(ranking), ranking) for ranking, _ in kept),
        "recall": mean(recall_at(len(ranking), ranking, wanted) for ranking, wanted in kept),
        "empty": share(not ranking for ranking, _ in kept),
    }


def by_category(
    results: Sequence[CaseResult], figures: Callable[[Sequence[CaseResult]], Figures]
) -> dict[str, Figures]:
    """The figures of each category, in alphabetical order."""
    names = sorted({case.category for case in results})
    return {name: figures([case for case in results if case.category == name]) for name in names}
