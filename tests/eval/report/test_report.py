from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from eval.checks import Bound, check_bounds
from eval.datasets.golden import golden_metrics
from eval.errors import ReportNotWritten
from eval.metrics import answer_metrics, case_faults, cutoff_metrics
from eval.report import (
    Report,
    cases_as_json,
    nested_and_flat,
    print_failures,
    print_metrics,
    print_verdict,
)
from eval.results import CaseResult, Returned

A, B = frozenset("a"), frozenset("b")


def _case(
    name: str, wanted: frozenset[str], *returned: frozenset[str], relevance: float = 0.9
) -> CaseResult:
    items = tuple(
        Returned(str(at), f"memory {at}", relevance, covers) for at, covers in enumerate(returned)
    )
    return CaseResult(name, "fact", f"{name}?", wanted, items, latency_ms=10.0)


HIT = _case("hit", A, A)
LATE = _case("late", A, B, A)
LOST = _case("lost", A)
SILENT = _case("silent", frozenset())
NOISY = _case("noisy", frozenset(), B)
RESULTS = [HIT, LATE, LOST, SILENT, NOISY]


def _report() -> Report:
    metrics = golden_metrics(RESULTS)
    bounds = [Bound("recall_at_5", 0.8, "blocking")]
    by_category = {"fact": answer_metrics(RESULTS)}
    return Report(
        "memory", {"model": "m"}, metrics, by_category, check_bounds(metrics, bounds), RESULTS
    )


def test_precision_has_a_lenient_and_a_strict_figure() -> None:
    figures = answer_metrics(RESULTS)
    assert figures["recall_at_5"] == pytest.approx(2 / 3)
    assert figures["precision_at_5"] == pytest.approx((1 + 0.5) / 2)
    assert figures["precision_at_5_all"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert figures["mrr"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert figures["no_answer_accuracy"] == 0.5


def test_a_cut_off_is_applied_to_the_ranking() -> None:
    weak = _case("weak", A, A, relevance=0.2)
    assert cutoff_metrics([HIT, weak], 0.3) == {"precision": 1.0, "recall": 0.5, "empty": 0.5}
    assert cutoff_metrics([HIT, weak], 0.1) == {"precision": 1.0, "recall": 1.0, "empty": 0.0}


def test_the_json_has_the_four_parts_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    _report().write(path)
    told = json.loads(path.read_text(encoding="utf-8"))
    assert list(told) == ["dataset", "settings", "metrics", "by_category"]
    assert {
        "recall_at_5",
        "recall_at_10",
        "precision_at_5",
        "mrr",
        "no_answer_accuracy",
        "latency_p50_ms",
        "latency_p95_ms",
    } <= set(told["metrics"])


def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ReportNotWritten, match="Is a directory"):
        _report().write(tmp_path)


def test_nested_figures_are_there_both_ways_and_once_when_flat() -> None:
    metrics = nested_and_flat({"turns": {"recall_at_5": 0.5, "mrr": None}})
    assert metrics["turns.recall_at_5"] == metrics["turns"]["recall_at_5"] == 0.5
    assert Report("locomo", {}, metrics, {}, []).flat() == {"turns.recall_at_5": 0.5}


def test_cases_can_be_told_as_json() -> None:
    told = json.loads(json.dumps(cases_as_json(RESULTS)))
    assert [item["hit"] for item in told[1]["returned"]] == [False, True]
    assert told[1]["wanted"] == ["a"]


def test_only_what_is_wrong_is_called_wrong() -> None:
    assert case_faults(HIT) == case_faults(SILENT) == []
    assert case_faults(LOST) == ["recall at 5 is 0.00"]
    assert case_faults(LATE) == ["1 of 2 beside the point"]
    assert case_faults(NOISY) == ["1 returned, nothing answers"]


def test_the_tables_name_the_verdict_and_the_failures() -> None:
    out = io.StringIO()
    console = Console(file=out, width=140)
    print_failures(console, RESULTS)
    print_metrics(console, _report())
    print_verdict(console, _report())
    assert "lost" in out.getvalue()
    assert "silent" not in out.getvalue()
    assert out.getvalue().rstrip().endswith("FAIL memory: recall_at_5")
