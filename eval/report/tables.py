"""What the person at the terminal sees of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from eval.golden.faults import faults_of
from eval.measures.checks import Check
from eval.measures.failures import Failures
from eval.measures.results import CaseResult
from eval.report.report import Report, flattened

SHOWN_CHARACTERS = 70


def print_figures(console: Console, report: Report) -> None:
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
        if faults := faults_of(case):
            first = case.returned[0].content if case.returned else "–"
            cells = (case.id, case.query, "; ".join(faults), first)
            table.add_row(*(escape(_short(cell)) for cell in cells))
    if table.row_count:
        console.print(table)


def print_exam(console: Console, failures: Failures) -> None:
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


def shown(value: Any) -> str:
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
    for name, value in flattened(report.metrics).items():
        table.add_row(name, shown(value))
    return table


def _categories(by_category: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = {name: flattened(figures) for name, figures in by_category.items()}
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
        table.add_row(name, *(shown(value) for value in values))
    return table


def _checks(checks: Sequence[Check]) -> Table:
    table = Table(title="checks", title_justify="left")
    for column in ("figure", "value", "bound", "kind", "met"):
        table.add_column(column)
    for each in checks:
        bound = f"{'≤' if each.at_most else '≥'} {each.bound:g}"
        met = "[green]yes[/]" if each.passed else "[red]no[/]"
        table.add_row(each.metric, shown(each.value), bound, each.kind, met)
    return table


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"
