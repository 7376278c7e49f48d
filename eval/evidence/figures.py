"""The figures of a set with evidence: as shipped, and with a fit on the other conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eval.evidence.run import Compared
from eval.measures.bootstrap import with_interval
from eval.measures.metrics import recall_at
from eval.measures.results import CaseResult
from eval.measures.summary import (
    Figures,
    all_evidence_figures,
    by_category,
    cut_figures,
    ranking_figures,
)

CUT = 5


def evidence_figures(compared: Compared, score: float, apart: str) -> Figures:
    """The rankings without the category that is reported apart, and what a cut-off at `score`
    leaves of them."""
    counted = _only(compared, lambda case: case.category != apart)
    return {
        "cases": len(counted.shipped),
        **_ranking(counted.shipped, score),
        **all_evidence_figures(counted.shipped),
        **_as_loco(_ranking(counted.loco, score)),
    }


def abstention_figures(compared: Compared, score: float, category: str) -> Figures:
    """The share of the questions without an answer for which nothing is as likely as `score`."""
    asked = _only(compared, lambda case: case.category == category)
    name = "no_answer_accuracy"
    return {**_empty(name, asked.shipped, score), **_as_loco(_empty(name, asked.loco, score))}


def categories(compared: Compared) -> dict[str, Figures]:
    """The rankings of each category, in alphabetical order."""
    shipped = by_category(compared.shipped, _of_category)
    loco = by_category(compared.loco, ranking_figures)
    return {
        name: {**figures, "loco_recall_at_5": loco.get(name, {}).get("recall_at_5")}
        for name, figures in shipped.items()
    }


def _of_category(results: Sequence[CaseResult]) -> Figures:
    return {"cases": len(results), **ranking_figures(results)}


def _only(compared: Compared, wanted: Callable[[CaseResult], bool]) -> Compared:
    return Compared(
        [case for case in compared.shipped if wanted(case)],
        [case for case in compared.loco if wanted(case)],
    )


def _ranking(results: Sequence[CaseResult], score: float) -> Figures:
    recalled = [recall_at(CUT, case.covered, case.wanted) for case in results]
    return {
        **with_interval("recall_at_5", [(each, 1.0) for each in recalled if each is not None]),
        **ranking_figures(results),
        **{f"cut_{name}": value for name, value in cut_figures(results, score).items()},
    }


def _empty(name: str, results: Sequence[CaseResult], score: float) -> Figures:
    return with_interval(name, [(float(not case.above(score)), 1.0) for case in results])


def _as_loco(figures: Figures) -> Figures:
    return {f"loco_{name}": value for name, value in figures.items()}
