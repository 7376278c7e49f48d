"""What the page is made of: results by set, and judgements with what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.calibration.fitting import Judged
from eval.evidence.beam import ABSTENTION
from eval.evidence.locomo import ADVERSARIAL
from eval.measures.metrics import Bin, calibration_bins, expected_calibration_error, recall_at
from eval.measures.results import CaseResult
from eval.measures.summary import cut_figures
from eval.report.report import Report
from eval.tuning.comparing import Estimate, Resampling
from eval.tuning.figures import table, values

TOP = 10
CUTS = tuple(round(score * 0.02, 2) for score in range(50))
# Nearly all candidates are plainly beside the point; how well those are told says little.
LIKELY = 0.05
_APART = (ABSTENTION, ADVERSARIAL)


@dataclass(frozen=True)
class Measured:
    """One set: its results as the product gives them, and the same uncut by score."""

    name: str
    results: Sequence[CaseResult]
    uncut: Sequence[CaseResult]


@dataclass(frozen=True)
class Judgements:
    """Probabilities that a model told of what it was not fitted on, and whether it helped."""

    labels: Sequence[bool]
    probabilities: Sequence[float]

    @property
    def bins(self) -> list[Bin]:
        return calibration_bins(self.labels, self.probabilities)

    @property
    def error(self) -> float | None:
        return expected_calibration_error(self.labels, self.probabilities)

    def likely(self) -> Judgements:
        """Those of at least `LIKELY`."""
        pairs = zip(self.labels, self.probabilities, strict=True)
        return judgements(pair for pair in pairs if pair[1] >= LIKELY)


@dataclass(frozen=True)
class Told:
    """All that the page tells: the runs as the product makes them, their results by set, and
    judgements of what the relevance model was not fitted on."""

    reports: Sequence[Report]
    measured: Sequence[Measured]
    judgements: Mapping[str, Judgements]
    min_score: float


def judgements(pairs: Iterable[tuple[bool, float]]) -> Judgements:
    held = list(pairs)
    return Judgements([label for label, _ in held], [p for _, p in held])


def held_out_judgements(judged: Sequence[Judged]) -> Judgements:
    """Of each fold by what was fitted on the others."""
    return judgements(
        (candidate.helps, probability)
        for each in judged
        for candidate, probability in zip(each.asked.candidates, each.probabilities, strict=True)
    )


def of_evidence_report(report: Report, min_score: float) -> list[Measured]:
    """By view; what the cut leaves is taken from the whole ranking."""
    views = dict.fromkeys(case.id.partition("/")[0] for case in report.cases)
    return [
        _of_view(
            f"{report.dataset} {view}",
            [case for case in report.cases if case.id.startswith(f"{view}/")],
            min_score,
        )
        for view in views
    ]


def _of_view(name: str, uncut: list[CaseResult], min_score: float) -> Measured:
    return Measured(name, [_cut(case, min_score) for case in uncut], uncut)


def _cut(case: CaseResult, min_score: float) -> CaseResult:
    kept = tuple(item for item in case.returned if item.relevance >= min_score)
    return CaseResult(case.id, case.category, case.query, case.wanted, kept, case.latency_ms)


def recall_curve(uncut: Sequence[CaseResult]) -> list[Estimate]:
    """Recall at 1 … 10 over what has an answer, without the categories that are told apart."""
    asked = [case for case in uncut if case.wanted and case.category not in _APART]
    return [
        _estimate([recall_at(k, case.covered, case.wanted) for case in asked])
        for k in range(1, TOP + 1)
    ]


def cut_curve(uncut: Sequence[CaseResult]) -> list[tuple[float, float, float]]:
    """For each cut-off the recall and the precision over what has an answer."""
    asked = [case for case in uncut if case.wanted and case.category not in _APART]
    told = [(score, cut_figures(asked, score)) for score in CUTS]
    return [
        (score, figures["recall"], figures["precision"])
        for score, figures in told
        if figures["recall"] is not None and figures["precision"] is not None
    ]


def by_category(
    results: Sequence[CaseResult],
) -> dict[str, tuple[int, Mapping[str, Estimate]]]:
    """The number of questions and the figures of each category, in alphabetical order."""
    names = sorted({case.category for case in results})
    return {name: _figures([c for c in results if c.category == name]) for name in names}


def overall(results: Sequence[CaseResult]) -> tuple[int, Mapping[str, Estimate]]:
    return _figures(results)


def _figures(results: Sequence[CaseResult]) -> tuple[int, Mapping[str, Estimate]]:
    columns = table([values(case) for case in results])
    drawn = Resampling.of(len(results))
    return len(results), {name: drawn.estimate(column) for name, column in columns.items()}


def _estimate(told: Sequence[float | None]) -> Estimate:
    column = np.array([np.nan if value is None else value for value in told], dtype=float)
    return Resampling.of(len(column)).estimate(column)
