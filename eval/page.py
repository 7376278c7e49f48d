"""`python -m eval report`: the figures and plots of a commit and its settings as one HTML file that
needs nothing else."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from eval.calibration.candidates import MemoryCandidateCollector
from eval.calibration.fit import HeldOutQuestion, predict_held_out
from eval.datasets.beam import ABSTENTION
from eval.datasets.evidence import BeamDataset, LocomoDataset
from eval.datasets.golden import GoldenDataset
from eval.datasets.locomo import ADVERSARIAL
from eval.files import make_folder, write_file
from eval.metrics import (
    Bin,
    calibration_bins,
    cutoff_metrics,
    expected_calibration_error,
    percentile,
    recall_at,
)
from eval.plots import (
    METRIC_LABELS,
    draw_categories,
    draw_latency,
    draw_precision_recall,
    draw_recall_at,
    draw_reliability,
)
from eval.registry import Dataset
from eval.report import Report, format_value
from eval.results import CaseResult
from eval.statistics import Estimate, Resampling
from eval.system import System, open_system
from eval.tracking import read_commit
from eval.tuning.recorder import GOLDEN, RecordedQuestion, SearchRecorder
from eval.tuning.replay import UNCUT, RecallReplay, shipped_calibrations
from eval.tuning.sources import TuningSources
from eval.tuning.trials import metric_columns, question_metrics
from memory.config import Settings

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem auto;
       max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
p { max-width: 44rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.875rem; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; }
figure { margin: 1.2rem 0; } img { max-width: 100%; height: auto; }
figcaption { font-size: 0.875rem; color: #444; max-width: 44rem; }
"""


@dataclass(frozen=True)
class HtmlTable:
    """A table; a number is shown as the terminal shows it, and None as –."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class HtmlPlot:
    """`png` with what it shows in words, for those who do not see it."""

    caption: str
    png: bytes


@dataclass(frozen=True)
class PageSection:
    title: str
    text: str = ""
    grids: Sequence[HtmlTable] = field(default_factory=tuple)
    plots: Sequence[HtmlPlot] = field(default_factory=tuple)


def render_page(title: str, about: Mapping[str, Any], sections: Sequence[PageSection]) -> str:
    """The page, with what it is about on top."""
    facts = HtmlTable(
        "", ("", ""), [(name.replace("_", " "), value) for name, value in about.items()]
    )
    body = "\n".join([_table_html(facts), *map(_section_html, sections)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _section_html(section: PageSection) -> str:
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    parts = [*map(_table_html, section.grids), *map(_plot_html, section.plots)]
    return (
        f"<section>\n<h2>{escape(section.title)}</h2>\n{text}\n" + "\n".join(parts) + "</section>"
    )


def _table_html(grid: HtmlTable) -> str:
    caption = f"<caption>{escape(grid.caption)}</caption>" if grid.caption else ""
    head = _row_html("th", grid.columns) if any(grid.columns) else ""
    body = "\n".join(_row_html("td", row) for row in grid.rows)
    return f'<div class="wide"><table>{caption}\n{head}\n{body}\n</table></div>'


def _row_html(cell: str, values: Sequence[Any]) -> str:
    return (
        "<tr>"
        + "".join(f"<{cell}>{escape(_cell_text(each))}</{cell}>" for each in values)
        + "</tr>"
    )


def _cell_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else format_value(value)


def _plot_html(plot: HtmlPlot) -> str:
    image = b64encode(plot.png).decode("ascii")
    caption = escape(plot.caption)
    return (
        f'<figure><img alt="{caption}" src="data:image/png;base64,{image}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


TOP = 10
CUTS = tuple(round(score * 0.02, 2) for score in range(50))
# Nearly all candidates are plainly beside the point; how well those are told says little.
LIKELY = 0.05
_APART = (ABSTENTION, ADVERSARIAL)


@dataclass(frozen=True)
class MeasuredSet:
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
        return make_judgements(pair for pair in pairs if pair[1] >= LIKELY)


@dataclass(frozen=True)
class PageContent:
    """All that the page tells: the runs as the product makes them, their results by set, and
    judgements of what the relevance model was not fitted on."""

    reports: Sequence[Report]
    measured: Sequence[MeasuredSet]
    judgements: Mapping[str, Judgements]
    min_score: float


def make_judgements(pairs: Iterable[tuple[bool, float]]) -> Judgements:
    held = list(pairs)
    return Judgements([label for label, _ in held], [p for _, p in held])


def held_out_judgements(judged: Sequence[HeldOutQuestion]) -> Judgements:
    """Of each fold by what was fitted on the others."""
    return make_judgements(
        (candidate.helps, probability)
        for each in judged
        for candidate, probability in zip(each.asked.candidates, each.probabilities, strict=True)
    )


def measured_views(report: Report, min_score: float) -> list[MeasuredSet]:
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


def _of_view(name: str, uncut: list[CaseResult], min_score: float) -> MeasuredSet:
    return MeasuredSet(name, [_cut(case, min_score) for case in uncut], uncut)


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
    told = [(score, cutoff_metrics(asked, score)) for score in CUTS]
    return [
        (score, figures["recall"], figures["precision"])
        for score, figures in told
        if figures["recall"] is not None and figures["precision"] is not None
    ]


def estimates_by_category(
    results: Sequence[CaseResult],
) -> dict[str, tuple[int, Mapping[str, Estimate]]]:
    """The number of questions and the figures of each category, in alphabetical order."""
    names = sorted({case.category for case in results})
    return {name: _figures([c for c in results if c.category == name]) for name in names}


def overall_estimates(results: Sequence[CaseResult]) -> tuple[int, Mapping[str, Estimate]]:
    return _figures(results)


def _figures(results: Sequence[CaseResult]) -> tuple[int, Mapping[str, Estimate]]:
    columns = metric_columns([question_metrics(case) for case in results])
    drawn = Resampling.of(len(results))
    return len(results), {name: drawn.estimate(column) for name, column in columns.items()}


def _estimate(told: Sequence[float | None]) -> Estimate:
    column = np.array([np.nan if value is None else value for value in told], dtype=float)
    return Resampling.of(len(column)).estimate(column)


HELD_BACK_KEY = "held_back"
_INTERVALS = "Figures are told with their 95 % bootstrap interval over questions."


def build_sections(told: PageContent) -> list[PageSection]:
    return [
        _verdicts(told.reports),
        _answers(told.measured),
        _ranking(told),
        _calibration(told),
        _latency(told.measured),
        *(_categories(each) for each in told.measured),
    ]


def _verdicts(reports: Sequence[Report]) -> PageSection:
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
        grids.append(HtmlTable(f"{report.dataset}: {verdict}", columns, rows))
    held_back = list(reports[0].metrics.get(HELD_BACK_KEY, {}).items())
    if held_back:
        grids.append(HtmlTable("golden cases that are held back: totals only", ("", ""), held_back))
    text = "What each run is held to. A target is aimed at; only what blocks decides on PASS."
    return PageSection("Checks", text, grids)


def _answers(measured: Sequence[MeasuredSet]) -> PageSection:
    rows = []
    for each in measured:
        questions, figures = overall_estimates(each.results)
        rows.append(
            (each.name, questions, *(format_estimate(figures[name]) for name in METRIC_LABELS))
        )
    columns = ("set", "questions", *METRIC_LABELS.values())
    text = (
        "What comes back at the cut-off that ships; of the golden set without the cases that are "
        f"held back. {_INTERVALS} F1 counts a question without an answer as 1 where nothing "
        "comes back and 0 otherwise (SQuAD 2.0)."
    )
    return PageSection("Answers", text, [HtmlTable("", columns, rows)])


def _ranking(told: PageContent) -> PageSection:
    recall = draw_recall_at({each.name: recall_curve(each.uncut) for each in told.measured})
    curves = {each.name: curve for each in told.measured if (curve := cut_curve(each.uncut))}
    cut = draw_precision_recall(curves, told.min_score)
    plots = [
        HtmlPlot(
            "Share of the evidence within the first k, before the cut-off, 95 % bands.", recall
        ),
        HtmlPlot(
            "Precision over recall of what is returned, over all cut-offs; the dot is the one "
            "that ships. Questions that have an answer only.",
            cut,
        ),
    ]
    return PageSection("Ranking and cut-off", "", (), plots)


def _calibration(told: PageContent) -> PageSection:
    text = (
        "Expected calibration error over ten bins of equal mass (Naeini 2015, Guo 2017). Nearly "
        "all candidates are plainly beside the point and easily told, so that the error among "
        f"those of a probability of at least {LIKELY:g} is told as well; the second row of plots "
        "is of these."
    )
    return PageSection("Calibration", text, [_calibration_errors(told)], _reliability(told))


def _calibration_errors(told: PageContent) -> HtmlTable:
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
    return HtmlTable("", columns, rows)


def _reliability(told: PageContent) -> list[HtmlPlot]:
    every = {name: (each.bins, each.probabilities) for name, each in told.judgements.items()}
    likely = {
        f"{name}, ≥ {LIKELY:g}": (part.bins, part.probabilities)
        for name, each in told.judgements.items()
        if (part := each.likely()).labels
    }
    return [
        HtmlPlot("Reliability: all candidates.", draw_reliability(every)),
        HtmlPlot(f"Reliability: candidates of at least {LIKELY:g}.", draw_reliability(likely)),
    ]


def _latency(measured: Sequence[MeasuredSet]) -> PageSection:
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
    plot = HtmlPlot("Share of recalls that took no longer.", draw_latency(took))
    return PageSection("Latency", text, [HtmlTable("", columns, rows)], [plot])


def _categories(measured: MeasuredSet) -> PageSection:
    told = estimates_by_category(measured.results)
    rows = [
        (
            name.replace("_", " "),
            questions,
            *(format_estimate(figures[label]) for label in METRIC_LABELS),
        )
        for name, (questions, figures) in told.items()
    ]
    plots = [
        HtmlPlot(f"{label} by category, 95 % intervals.", draw_categories(label, categories))
        for figure, label in METRIC_LABELS.items()
        if figure != "f1" and _measured(categories := _of(told, figure))
    ]
    grid = HtmlTable("", ("category", "questions", *METRIC_LABELS.values()), rows)
    return PageSection(f"{measured.name}, by category", "", [grid], plots)


def _of(told: Mapping[str, tuple[int, Mapping[str, Estimate]]], figure: str) -> dict[str, Estimate]:
    return {name.replace("_", " "): figures[figure] for name, (_, figures) in told.items()}


def _measured(categories: Mapping[str, Estimate]) -> bool:
    return any(each.value is not None for each in categories.values())


def format_estimate(estimate: Estimate) -> str:
    """A figure with its interval; – where it was not measured."""
    if estimate.value is None:
        return "–"
    low, high = format_value(estimate.low), format_value(estimate.high)
    return f"{format_value(estimate.value)} [{low}, {high}]"


PAGE = "report.html"
TITLE = "Keepsake: what the recall is worth"
UNCUT_LIMIT = 100
_SETS: dict[str, type[LocomoDataset | BeamDataset]] = {"locomo": LocomoDataset, "beam": BeamDataset}


async def write_page(
    settings: Settings, sources: TuningSources, out: Path, console: Console, progress: Progress
) -> Path:
    """Measures the golden set and the sets that were named, and writes the page; its path. Raises
    NothingToTune, RecallIncomplete, VectorsMissing, DatasetUnreadable, ReportNotWritten."""
    make_folder(out)
    with progress:
        async with open_system(settings, console.print) as system:
            reports = await run_datasets(system, sources, progress)
        # On a database of its own: the golden set's people are stored in the other one.
        async with open_system(settings, console.print) as system:
            told = await collect_page_content(system, sources, reports, progress)
    about = {**_about(reports[0]), "commit": await read_commit()}
    page = await asyncio.to_thread(lambda: render_page(TITLE, about, build_sections(told)))
    write_file(out / PAGE, page.encode("utf-8"))
    console.print(f"the report is in {out / PAGE}: open it in a browser", soft_wrap=True)
    return out / PAGE


async def run_datasets(system: System, sources: TuningSources, progress: Progress) -> list[Report]:
    """Each set as the product answers it, the golden one first."""
    sets: list[Dataset] = [GoldenDataset(sources.golden_folder)]
    sets += [_SETS[name](folder) for name, folder in sources.folders.items()]
    return [await each.run(system, progress) for each in sets]


async def collect_page_content(
    system: System, sources: TuningSources, reports: Sequence[Report], progress: Progress
) -> PageContent:
    """What was run, beside the golden cases that may be seen without a cut-off, and judgements of
    what the relevance model was not fitted on."""
    golden, *others = reports
    seen = await SearchRecorder(system).golden(sources.golden, progress)
    judging = RecallReplay(shipped_calibrations(system.embedder.model))
    pairs = await MemoryCandidateCollector(system).gather(sources.pairs, progress)
    score = system.settings.min_relevance
    return PageContent(
        reports=reports,
        measured=[
            MeasuredSet(
                GOLDEN, golden.cases, [judging.answer(each, UNCUT, UNCUT_LIMIT) for each in seen]
            ),
            *(one for report in others for one in measured_views(report, score)),
        ],
        judgements={
            "own pairs, each store held out": held_out_judgements(predict_held_out(pairs["both"])),
            "golden set, nothing of it fitted": _of_golden(judging, seen),
        },
        min_score=score,
    )


def _of_golden(judging: RecallReplay, seen: Sequence[RecordedQuestion]) -> Judgements:
    return make_judgements(pair for each in seen for pair in judging.judgements(each))


def _about(report: Report) -> dict[str, object]:
    return {"made": datetime.now(UTC).isoformat(timespec="seconds"), **report.settings}
