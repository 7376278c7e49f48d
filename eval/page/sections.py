"""The page section by section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.measures.metrics import percentile
from eval.page.html import Grid, Plot, Section
from eval.page.measured import (
    LIKELY,
    Measured,
    Told,
    by_category,
    cut_curve,
    overall,
    recall_curve,
)
from eval.page.plots import (
    draw_categories,
    draw_latency,
    draw_precision_recall,
    draw_recall_at,
    draw_reliability,
)
from eval.report.report import Report
from eval.report.tables import shown
from eval.tuning.comparing import Estimate
from eval.tuning.plots import LABELS

HELD_BACK = "held_back"
_INTERVALS = "Figures are told with their 95 % bootstrap interval over questions."


def sections(told: Told) -> list[Section]:
    return [
        _verdicts(told.reports),
        _answers(told.measured),
        _ranking(told),
        _calibration(told),
        _latency(told.measured),
        *(_categories(each) for each in told.measured),
    ]


def _verdicts(reports: Sequence[Report]) -> Section:
    grids = []
    for report in reports:
        rows = [
            (
                check.metric,
                check.value,
                f"{'≤' if check.at_most else '≥'} {check.bound:g}",
                check.kind,
                "yes" if check.passed else "no",
            )
            for check in report.checks
        ]
        verdict = "PASS" if report.passed else "FAIL"
        columns = ("figure", "value", "bound", "kind", "met")
        grids.append(Grid(f"{report.dataset}: {verdict}", columns, rows))
    held_back = list(reports[0].metrics.get(HELD_BACK, {}).items())
    if held_back:
        grids.append(Grid("golden cases that are held back: totals only", ("", ""), held_back))
    text = "What each run is held to. A target is aimed at; only what blocks decides on PASS."
    return Section("Checks", text, grids)


def _answers(measured: Sequence[Measured]) -> Section:
    rows = []
    for each in measured:
        questions, figures = overall(each.results)
        rows.append((each.name, questions, *(within(figures[name]) for name in LABELS)))
    columns = ("set", "questions", *LABELS.values())
    text = (
        "What comes back at the cut-off that ships; of the golden set without the cases that are "
        f"held back. {_INTERVALS} F1 counts a question without an answer as 1 where nothing "
        "comes back and 0 otherwise (SQuAD 2.0)."
    )
    return Section("Answers", text, [Grid("", columns, rows)])


def _ranking(told: Told) -> Section:
    recall = draw_recall_at({each.name: recall_curve(each.uncut) for each in told.measured})
    curves = {each.name: curve for each in told.measured if (curve := cut_curve(each.uncut))}
    cut = draw_precision_recall(curves, told.min_score)
    plots = [
        Plot("Share of the evidence within the first k, before the cut-off, 95 % bands.", recall),
        Plot(
            "Precision over recall of what is returned, over all cut-offs; the dot is the one "
            "that ships. Questions that have an answer only.",
            cut,
        ),
    ]
    return Section("Ranking and cut-off", "", (), plots)


def _calibration(told: Told) -> Section:
    text = (
        "Expected calibration error over ten bins of equal mass (Naeini 2015, Guo 2017). Nearly "
        "all candidates are plainly beside the point and easily told, so that the error among "
        f"those of a probability of at least {LIKELY:g} is told as well; the second row of plots "
        "is of these."
    )
    return Section("Calibration", text, [_calibration_errors(told)], _reliability(told))


def _calibration_errors(told: Told) -> Grid:
    rows = [
        (
            name,
            len(each.labels),
            sum(each.labels),
            each.error,
            len(each.likely().labels),
            each.likely().error,
        )
        for name, each in told.judgements.items()
    ]
    columns = (
        "judgements of",
        "candidates",
        "that help",
        "expected calibration error",
        f"candidates of at least {LIKELY:g}",
        "error among these",
    )
    return Grid("", columns, rows)


def _reliability(told: Told) -> list[Plot]:
    every = {name: (each.bins, each.probabilities) for name, each in told.judgements.items()}
    likely = {
        f"{name}, ≥ {LIKELY:g}": (part.bins, part.probabilities)
        for name, each in told.judgements.items()
        if (part := each.likely()).labels
    }
    return [
        Plot("Reliability: all candidates.", draw_reliability(every)),
        Plot(f"Reliability: candidates of at least {LIKELY:g}.", draw_reliability(likely)),
    ]


def _latency(measured: Sequence[Measured]) -> Section:
    took = {each.name: [case.latency_ms for case in each.results] for each in measured}
    rows = [
        (name, len(times), *(percentile(times, q) for q in (50, 90, 95, 99)))
        for name, times in took.items()
    ]
    columns = ("set", "recalls", "p50 ms", "p90 ms", "p95 ms", "p99 ms")
    text = (
        "Whole recalls, one at a time, the question's vector not cached. Speed under load is "
        "measured by python -m eval --bench recall."
    )
    plot = Plot("Share of recalls that took no longer.", draw_latency(took))
    return Section("Latency", text, [Grid("", columns, rows)], [plot])


def _categories(measured: Measured) -> Section:
    told = by_category(measured.results)
    rows = [
        (name.replace("_", " "), questions, *(within(figures[label]) for label in LABELS))
        for name, (questions, figures) in told.items()
    ]
    plots = [
        Plot(f"{label} by category, 95 % intervals.", draw_categories(label, categories))
        for figure, label in LABELS.items()
        if figure != "f1" and _measured(categories := _of(told, figure))
    ]
    grid = Grid("", ("category", "questions", *LABELS.values()), rows)
    return Section(f"{measured.name}, by category", "", [grid], plots)


def _of(told: Mapping[str, tuple[int, Mapping[str, Estimate]]], figure: str) -> dict[str, Estimate]:
    return {name.replace("_", " "): figures[figure] for name, (_, figures) in told.items()}


def _measured(categories: Mapping[str, Estimate]) -> bool:
    return any(each.value is not None for each in categories.values())


def within(estimate: Estimate) -> str:
    """A figure with its interval; – where it was not measured."""
    if estimate.value is None:
        return "–"
    return f"{shown(estimate.value)} [{shown(estimate.low)}, {shown(estimate.high)}]"
