from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.results import CaseResult, Returned
from eval.tuning.trials import f1, metric_columns, metric_means, question_metrics

HIT, OTHER, MISS = frozenset("a"), frozenset("b"), frozenset[str]()


def _case(wanted: frozenset[str], *returned: frozenset[str]) -> CaseResult:
    items = tuple(Returned(str(at), "", 0.9, covers) for at, covers in enumerate(returned))
    return CaseResult("c", "fact", "?", wanted, items, latency_ms=0.0)


def test_finding_is_measured_where_something_answers_and_silence_elsewhere() -> None:
    found = question_metrics(_case(HIT, HIT, MISS))
    assert (found["recall_at_5"], found["precision"], found["returned"]) == (1.0, 0.5, 2.0)
    assert found["no_answer_accuracy"] is None
    silent = question_metrics(_case(MISS))
    assert (silent["recall_at_5"], silent["precision"], silent["no_answer_accuracy"]) == (
        None,
        None,
        1.0,
    )


def test_f1_weighs_finding_and_silence() -> None:
    assert f1([HIT], HIT) == 1.0
    assert f1([HIT, MISS], HIT) == pytest.approx(2 / 3)
    assert f1([MISS], HIT) == f1([], HIT) == 0.0
    assert f1([], MISS) == 1.0
    assert f1([MISS], MISS) == 0.0


@given(st.lists(st.sampled_from([HIT, OTHER, MISS])), st.sampled_from([HIT, HIT | OTHER]))
def test_f1_is_a_share_and_1_only_for_all_and_nothing_else(
    found: list[frozenset[str]], wanted: frozenset[str]
) -> None:
    covered = [each & wanted for each in found]
    whole = bool(covered) and all(covered) and frozenset[str]().union(*covered) == wanted
    assert 0.0 <= f1(covered, wanted) <= 1.0
    assert (f1(covered, wanted) == 1.0) is whole


def test_means_leave_out_what_is_not_taken() -> None:
    columns = metric_columns(
        [
            question_metrics(_case(HIT, HIT)),
            question_metrics(_case(HIT)),
            question_metrics(_case(MISS)),
        ]
    )
    assert math.isnan(columns["recall_at_5"][2])
    told = metric_means(columns)
    assert (told["recall_at_5"], told["precision"], told["no_answer_accuracy"]) == (0.5, 1.0, 1.0)
    assert metric_means(metric_columns([question_metrics(_case(MISS))]))["precision"] is None
