from __future__ import annotations

import pytest

from eval.datasets.evidence import (
    FitComparison,
    evidence_metrics,
    evidence_metrics_by_category,
    no_answer_metrics,
)
from eval.results import CaseResult, Returned

RIGHT, WRONG = frozenset("a"), frozenset[str]()


def _case(category: str, *covers: frozenset[str], relevance: float = 0.5) -> CaseResult:
    return CaseResult(
        id="",
        category=category,
        query="",
        wanted=WRONG if category == "none" else RIGHT,
        returned=tuple(Returned("", "", relevance, each) for each in covers),
        latency_ms=1.0,
    )


SHIPPED = [_case("plain", RIGHT), _case("plain", WRONG), _case("other", WRONG)]
LOCO = [_case("plain", RIGHT), _case("plain", RIGHT), _case("other", WRONG)]


def test_both_kinds_of_coefficients_side_by_side_with_intervals() -> None:
    figures = evidence_metrics(FitComparison(SHIPPED, LOCO), 0.3, apart="other")
    assert figures["cases"] == 2
    assert (figures["recall_at_5"], figures["loco_recall_at_5"]) == (0.5, 1.0)
    assert (figures["recall_at_5_low"], figures["recall_at_5_high"]) == (0.0, 1.0)
    assert figures["loco_recall_at_5_low"] == 1.0
    assert figures["cut_precision"] == 0.5


@pytest.mark.parametrize(("score", "accuracy"), [(0.3, 0.0), (0.6, 1.0)])
def test_abstention_is_right_where_nothing_reaches_the_score(score: float, accuracy: float) -> None:
    compared = FitComparison([_case("none", WRONG), *SHIPPED], [])
    figures = no_answer_metrics(compared, score, "none")
    assert figures["no_answer_accuracy"] == accuracy
    assert figures["loco_no_answer_accuracy"] is None


def test_categories_in_alphabetical_order() -> None:
    told = evidence_metrics_by_category(FitComparison(SHIPPED, LOCO))
    assert list(told) == ["other", "plain"]
    assert (told["plain"]["recall_at_5"], told["plain"]["loco_recall_at_5"]) == (0.5, 1.0)
    assert (
        evidence_metrics_by_category(FitComparison(SHIPPED, []))["plain"]["loco_recall_at_5"]
        is None
    )
