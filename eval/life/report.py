"""What was lived on paper: a table of shares, and a line for every turn and question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from eval.life.figures import SHARES, SOUNDNESS
from eval.report.report import Report
from eval.report.tables import shown

if TYPE_CHECKING:
    from eval.life.play import Asked, Played


def print_shares(console: Console, report: Report) -> None:
    """Overall with intervals; then as counts a line for each kind of turn and of question, and a
    column for each language."""
    console.print(_overall(report.metrics))
    for kind in ("turn", "question"):
        groups = _groups(report, kind)
        names = _named(groups)
        rows = [[_told(each, name) for name in names] for each in groups.values()]
        console.print(_grid(kind, names, list(groups), rows))
    groups = _groups(report, "language")
    rows = [[_told(each, name) for each in groups.values()] for name in _named(groups)]
    console.print(_grid("language", list(groups), _named(groups), rows))


def _groups(report: Report, what: str) -> dict[str, dict[str, Any]]:
    return {
        name.removeprefix(f"{what}: "): figures
        for name, figures in report.by_category.items()
        if name.startswith(f"{what}: ")
    }


def _named(groups: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The shares that any of the groups has."""
    return [name for name in SHARES if any(name in each for each in groups.values())]


def _overall(metrics: Mapping[str, Any]) -> Table:
    table = Table(title="figures of life", title_justify="left")
    table.add_column("figure")
    for column in ("share", "count", "95% interval"):
        table.add_column(column, justify="right")
    for name in SHARES:
        low, high = metrics[f"{name}_low"], metrics[f"{name}_high"]
        interval = "–" if low is None else f"{low:.3f} – {high:.3f}"
        table.add_row(name, shown(metrics[name]), _count(metrics, name), interval)
    for name in SOUNDNESS:
        table.add_row(name, "", shown(metrics[name]), "")
    return table


def _grid(
    corner: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> Table:
    table = Table(title=f"by {corner}", title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, cells in zip(names, rows, strict=True):
        table.add_row(name, *cells)
    return table


def _told(figures: Mapping[str, Any], name: str) -> str:
    return f"{figures[name]:.2f} {_count(figures, name)}" if name in figures else "–"


def _count(figures: Mapping[str, Any], name: str) -> str:
    return f"{figures[f'{name}_count']}/{figures[f'{name}_of']}"


def rows_of(played: Sequence[Played], asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """As JSON can hold them: the turns of everybody, then the questions."""
    return [*map(_row_of_turn, played), *map(_row_of_question, asked)]


def _row_of_turn(each: Played) -> dict[str, Any]:
    return {
        "id": f"{each.conversation.name}/{each.turn.id}",
        "persona": each.conversation.persona,
        "language": each.conversation.language,
        "kind": each.turn.kind,
        "day": each.turn.day.isoformat(),
        "said": each.turn.say,
        "reply": each.reply,
        "missing": each.missing,
        "standing": [{"words": words, "memory": memory} for words, memory in each.standing],
        "added": each.added,
        "failed": each.failed,
        "unlearned": each.unlearned,
    }


def _row_of_question(each: Asked) -> dict[str, Any]:
    asked = each.question
    return {
        "id": f"{each.conversation.name}/q{each.place + 1}",
        "persona": each.conversation.persona,
        "language": each.conversation.language,
        "kind": asked.kind,
        "day": asked.day.isoformat(),
        "asked": asked.ask,
        "returned": each.returned,
        "missing": each.missing,
        "kept": each.kept,
        "silent": asked.silent,
        "stale": each.stale,
        "failed": each.failed,
        "degraded": each.degraded,
    }
