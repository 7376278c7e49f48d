from __future__ import annotations

from eval.bench.serving.chat_client import Taken
from eval.bench.serving.crowd import faults_of, turn_figures


def test_what_the_model_was_busy_for_is_not_overhead() -> None:
    figures = turn_figures([Taken("a", 1.25, 1.0), Taken("b", 1.25, 1.0)], {"a": 1.0, "b": 1.0})

    assert figures["overhead_p95_ms"] == 250
    assert figures["ratio"] == 1.25
    assert figures["errors"] == 0


def test_a_fault_is_an_error_and_no_figure() -> None:
    taken = [Taken("a", 1.1, 1.0), Taken("b", 9.0, None, "status 503")]

    assert turn_figures(taken, {"a": 1.0})["errors"] == 1
    assert turn_figures(taken, {"a": 1.0})["turn_p50_ms"] == 1100
    assert faults_of(taken) == {"status 503": 1}
