from __future__ import annotations

import pytest

from eval.datasets.beam import ABSTENTION
from eval.page import (
    LIKELY,
    cut_curve,
    estimates_by_category,
    make_judgements,
    measured_views,
    overall_estimates,
    recall_curve,
)
from eval.report import Report
from eval.results import CaseResult, Returned

A, B, NOTHING = frozenset("a"), frozenset("b"), frozenset[str]()


def _case(
    name: str, wanted: frozenset[str], *returned: tuple[float, frozenset[str]], category: str = "x"
) -> CaseResult:
    items = tuple(Returned(str(at), "", p, covers) for at, (p, covers) in enumerate(returned))
    return CaseResult(name, category, "?", wanted, items, latency_ms=5.0)


LATE = _case("turns/late", A, (0.9, B), (0.2, A))
SURE = _case("turns/sure", A, (0.9, A))
SILENT = _case("turns/silent", NOTHING, (0.1, B), category=ABSTENTION)


def test_recall_grows_with_k_over_what_has_an_answer() -> None:
    told = [each.value for each in recall_curve([LATE, SURE, SILENT])]
    assert told == [0.5] + [1.0] * 9


def test_a_higher_cut_trades_recall_for_precision() -> None:
    curve = {score: (recall, precision) for score, recall, precision in cut_curve([LATE, SURE])}
    assert curve[0.0] == (1.0, 0.75)
    assert curve[0.5] == (0.5, 0.5)
    assert cut_curve([SILENT]) == []


def test_what_the_cut_leaves_is_taken_from_the_ranking() -> None:
    report = Report("locomo", {}, {}, {}, [], [LATE, SILENT, _case("observations/q", A, (0.9, A))])
    turns, observations = measured_views(report, 0.3)
    assert (turns.name, observations.name) == ("locomo turns", "locomo observations")
    assert [len(case.returned) for case in turns.results] == [1, 0]
    assert [len(case.returned) for case in turns.uncut] == [2, 1]
    questions, figures = overall_estimates(turns.results)
    assert questions == 2
    assert figures["no_answer_accuracy"].value == 1.0
    assert set(estimates_by_category(turns.results)) == {"x", ABSTENTION}


def test_the_error_of_those_that_matter_is_told_apart() -> None:
    plain = [(False, 0.0)] * 90
    wrong = [(False, 0.9)] * 10
    told = make_judgements([*plain, *wrong])
    assert told.error == pytest.approx(0.09)
    assert told.likely().error == pytest.approx(0.9)
    assert len(told.likely().labels) == 10
    assert min(told.likely().probabilities) >= LIKELY
