"""One run on paper and on the terminal: its figures, the JSON of them, and the cases behind
them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from eval.checks import Check, blocking_checks_pass
from eval.errors import ReportNotWritten
from eval.metrics import case_faults
from eval.results import CaseResult, Failures
from eval.system import System
from memory.retrieval.relevance import DEFAULT_CALIBRATION, load_calibration


@dataclass(frozen=True)
class Report:
    """`metrics` may nest one level; `flat` gives every figure a name of its own. `failures` belong
    to the sets whose entries are told by id alone; the others tell their cases, without those
    held back: of these `held_back` counts the faulty ones by category. `rows` are what happened,
    one after the other, as JSON can hold it."""

    dataset: str
    settings: dict[str, Any]
    metrics: dict[str, Any]
    by_category: dict[str, dict[str, Any]]
    checks: list[Check]
    cases: list[CaseResult] = field(default_factory=list)
    failures: Failures | None = None
    held_back: dict[str, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return blocking_checks_pass(self.checks)

    def as_json(self) -> str:
        """dataset, settings, metrics and by_category, and nothing else."""
        told = {
            "dataset": self.dataset,
            "settings": self.settings,
            "metrics": self.metrics,
            "by_category": self.by_category,
        }
        return json.dumps(told, indent=2, ensure_ascii=False) + "\n"

    def flat(self) -> dict[str, float]:
        """Every figure that was measured, nested ones under `group.name`."""
        return {
            name: float(value)
            for name, value in flatten(self.metrics).items()
            if isinstance(value, int | float)
        }

    def rows_as_lines(self) -> str:
        """A line of JSON for each row."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)

    def write(self, path: Path) -> None:
        """The figures, and where there are rows those beside them: figures.json and
        figures.rows.jsonl. Raises ReportNotWritten."""
        try:
            path.write_text(self.as_json(), encoding="utf-8")
            if self.rows:
                beside = path.with_suffix(".rows.jsonl")
                beside.write_text(self.rows_as_lines(), encoding="utf-8")
        except OSError as error:
            raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error


def flatten(groups: Mapping[str, Any]) -> dict[str, Any]:
    """`{"a": {"b": 1}}` → `{"a.b": 1}`; what is not nested keeps its name."""
    flat: dict[str, Any] = {}
    for name, value in groups.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": each for inner, each in value.items()}
        else:
            flat[name] = value
    return flat


def nested_and_flat(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The groups as they are and, beside them, each figure under `group.name`."""
    return {**groups, **flatten(groups)}


def run_settings(system: System, **more: Any) -> dict[str, Any]:
    """The settings that a figure depends on; `calibrated` says whether the relevance model was
    fitted for this embedding model or is the one for any."""
    settings = system.settings
    return {
        "embedding_model": system.model.name,
        "embedding_dimensions": system.model.dimensions,
        "calibrated": load_calibration(system.model.name) != DEFAULT_CALIBRATION,
        "min_relevance": settings.min_relevance,
        "token_budget": settings.token_budget,
        "max_results": settings.max_results,
        **more,
    }


def cases_as_json(results: Sequence[CaseResult]) -> list[dict[str, Any]]:
    """The results as JSON can hold them."""
    return [
        asdict(case)
        | {
            "wanted": sorted(case.wanted),
            "returned": [
                {"id": item.item_id, "content": item.content, "relevance": item.relevance}
                | {"hit": bool(item.covers & case.wanted)}
                for item in case.returned
            ],
        }
        for case in results
    ]


SHOWN_CHARACTERS = 70


def print_metrics(console: Console, report: Report) -> None:
    """All figures, and the figures by category."""
    console.print(_figures(report))
    if report.by_category:
        console.print(_categories(report.by_category))


def print_verdict(console: Console, report: Report) -> None:
    """The checks, and the verdict last."""
    if report.checks:
        console.print(_checks(report.checks))
    verdict = "[bold green]PASS[/]" if report.passed else "[bold red]FAIL[/]"
    failed = [each.metric for each in report.checks if each.kind == "blocking" and not each.passed]
    why = f": {', '.join(failed)}" if failed else ""
    console.print(f"{verdict} {report.dataset}{why}")


def print_failures(console: Console, results: Sequence[CaseResult]) -> None:
    """The cases in which something is missing from the top five, or something is there that
    should not be."""
    table = Table(title="cases that are not right", title_justify="left")
    for column in ("case", "question", "what is wrong", "first returned"):
        table.add_column(column, overflow="fold")
    for case in results:
        if faults := case_faults(case):
            first = case.returned[0].content if case.returned else "–"
            cells = (case.id, case.query, "; ".join(faults), first)
            table.add_row(*(escape(_short(cell)) for cell in cells))
    if table.row_count:
        console.print(table)


def print_entry_failures(console: Console, failures: Failures) -> None:
    """What went wrong, by id; of what is held back only how often."""
    table = Table(title="entries that are not right", title_justify="left")
    for column in ("entry", "category", "what is wrong"):
        table.add_column(column, overflow="fold")
    for each in failures.shown:
        table.add_row(escape(each.id), escape(each.category), escape(each.what))
    if table.row_count:
        console.print(table)
    print_held_back(console, failures.held_back)


def print_held_back(console: Console, faulty: Mapping[str, int]) -> None:
    """How many of the entries that nobody reads are not right, by category."""
    if faulty:
        told = ", ".join(f"{count} {name}" for name, count in faulty.items())
        console.print(f"not right among those held back: {told}")


def format_value(value: Any) -> str:
    """A figure as a person reads it; – where it was not measured."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"  # noqa: PLR2004
    return f"{value:,}" if isinstance(value, int) else str(value)


def _figures(report: Report) -> Table:
    table = Table(title=f"figures of {report.dataset}", title_justify="left")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, value in flatten(report.metrics).items():
        table.add_row(name, format_value(value))
    return table


def _categories(by_category: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = {name: flatten(figures) for name, figures in by_category.items()}
    columns = [*dict.fromkeys(column for figures in rows.values() for column in figures)]
    measured = [name for name in columns if any(rows[row].get(name) is not None for row in rows)]
    if len(measured) > len(rows):
        return _grid(
            "figure", list(rows), {m: [rows[row].get(m) for row in rows] for m in measured}
        )
    return _grid(
        "category",
        [name.replace("_", " ").replace(".", " ") for name in measured],
        {name: [figures.get(m) for m in measured] for name, figures in rows.items()},
    )


def _grid(corner: str, columns: Sequence[str], rows: Mapping[str, Sequence[Any]]) -> Table:
    table = Table(title="by category", title_justify="left")
    table.add_column(corner)
    for column in columns:
        table.add_column(column, justify="right")
    for name, values in rows.items():
        table.add_row(name, *(format_value(value) for value in values))
    return table


def _checks(checks: Sequence[Check]) -> Table:
    table = Table(title="checks", title_justify="left")
    for column in ("figure", "value", "bound", "kind", "met"):
        table.add_column(column)
    for each in checks:
        bound = f"{'≤' if each.at_most else '≥'} {each.bound:g}"
        met = "[green]yes[/]" if each.passed else "[red]no[/]"
        table.add_row(each.metric, format_value(each.value), bound, each.kind, met)
    return table


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


FILE_WIDTH = 140


def open_console() -> Console:
    """As wide as the terminal; wide enough for the tables in a file or a pipe."""
    console = Console()
    return console if console.is_terminal else Console(width=FILE_WIDTH)


def open_progress() -> Progress:
    """On stderr, so that a pipe has the figures alone."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
