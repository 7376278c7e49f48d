from __future__ import annotations

from eval.bench.server import TimedChatTurn, count_turn_faults, turn_metrics


def test_what_the_model_was_busy_for_is_not_overhead() -> None:
    figures = turn_metrics(
        [TimedChatTurn("a", 1.25, 1.0), TimedChatTurn("b", 1.25, 1.0)], {"a": 1.0, "b": 1.0}
    )

    assert figures["overhead_p95_ms"] == 250
    assert figures["ratio"] == 1.25
    assert figures["errors"] == 0


def test_a_fault_is_an_error_and_no_figure() -> None:
    taken = [TimedChatTurn("a", 1.1, 1.0), TimedChatTurn("b", 9.0, None, "status 503")]

    assert turn_metrics(taken, {"a": 1.0})["errors"] == 1
    assert turn_metrics(taken, {"a": 1.0})["turn_p50_ms"] == 1100
    assert count_turn_faults(taken) == {"status 503": 1}
