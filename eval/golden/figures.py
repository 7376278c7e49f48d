"""The figures of the golden set, and where those of it or of a part could lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval.measures.bootstrap import Count, interval, ratio
from eval.measures.metrics import precision_at, recall_at, share
from eval.measures.results import CaseResult
from eval.measures.summary import Figures, answer_figures, speed_figures

CUT = 5


def golden_figures(results: Sequence[CaseResult]) -> Figures:
    """The figures of specification 001 and of the golden set."""
    hostile = [case for case in results if case.category == "hostile"]
    harmless = [case for case in results if case.category != "hostile"]
    return {
        **answer_figures(results),
        "token_compliance": share(case.within_budget for case in results),
        "cross_user_safety": share(case.foreign == 0 for case in results),
        "forbidden_retrievals": sum(case.forbidden for case in harmless),
        "hostile_retrievals": sum(case.forbidden for case in hostile),
        **speed_figures(results),
    }


def answer_intervals(results: Sequence[CaseResult]) -> Figures:
    """`answer_figures`, and 95 % intervals over questions for those that decide; `precision` is
    of all that is returned."""
    counts = {
        "recall_at_5": _each(recall_at(CUT, case.covered, case.wanted) for case in results),
        "precision": _each(
            precision_at(len(case.returned), case.covered) for case in results if case.wanted
        ),
        "precision_at_5": _each(precision_at(CUT, case.covered) for case in results if case.wanted),
        "no_answer_accuracy": _each(not case.returned for case in results if not case.wanted),
    }
    figures = {**answer_figures(results), "precision": ratio(counts["precision"])}
    for name, each in counts.items():
        low, high = interval(each) or (None, None)
        figures |= {f"{name}_low": low, f"{name}_high": high}
    return figures


def _each(values: Iterable[float | None]) -> list[Count]:
    """One unit a question, without those that the figure is not taken of."""
    return [(float(value), 1.0) for value in values if value is not None]
