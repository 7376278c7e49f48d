"""What one answer is worth, question by question, and of a set of questions on average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from eval.calibration.logistic import Array
from eval.measures.metrics import precision_at, recall_at, reciprocal_rank
from eval.measures.results import CaseResult

CUT = 5
FIGURES = (
    "recall_at_5",
    "precision",
    "no_answer_accuracy",
    "f1",
    "mrr",
    "returned",
    "uncut_recall_at_5",
)
"""All are of what the cut-off leaves, but for `uncut_recall_at_5`. `precision` is of all that is
returned to a question that has an answer, as 001 takes it; `returned` is how many memories a
question brings, right or wrong: brevity."""

Values: TypeAlias = dict[str, float | None]


def values(result: CaseResult, uncut: CaseResult | None = None) -> Values:
    """The figures of one question, answered with the cut-off and, where it was, without; None where
    a figure is not taken of it."""
    covered, wanted = result.covered, result.wanted
    return {
        "recall_at_5": recall_at(CUT, covered, wanted),
        "precision": precision_at(len(covered), covered) if wanted else None,
        "no_answer_accuracy": None if wanted else float(not covered),
        "f1": f1(covered, wanted),
        "mrr": reciprocal_rank(covered, wanted),
        "returned": float(len(covered)),
        "uncut_recall_at_5": None if uncut is None else recall_at(CUT, uncut.covered, wanted),
    }


def f1(covered: Sequence[frozenset[str]], wanted: frozenset[str]) -> float:
    """2PR / (P + R) of all that is returned; where nothing answers, 1 for returning nothing and 0
    otherwise (SQuAD 2.0, Rajpurkar et al. 2018), so that one figure weighs finding and silence."""
    if not wanted:
        return float(not covered)
    precision = precision_at(len(covered), covered) or 0.0
    recall = recall_at(len(covered), covered, wanted) or 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def table(results: Sequence[Values]) -> dict[str, Array]:
    """Each figure as an array over the questions, NaN where it is not taken."""
    return {
        name: np.array([_number(each[name]) for each in results], dtype=float) for name in FIGURES
    }


def means(columns: Mapping[str, Array]) -> dict[str, float | None]:
    """The mean of each figure over the questions that it is taken of."""
    return {
        name: float(np.nanmean(column)) if np.isfinite(column).any() else None
        for name, column in columns.items()
    }


def _number(value: float | None) -> float:
    return np.nan if value is None else value
