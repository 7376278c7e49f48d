"""Fits the models anew, writes them into the package and shows their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from eval.training.reading import train
from eval.training.secret_values import examples_of, figures, hold_out, train_secret_values
from eval.training.sentences import load_messages, load_secrets
from memory.understanding import secret_values, weights


def _show(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    table = Table(*rows[0], title="each writer heard by what learned from the others")
    for row in rows:
        table.add_row(*map(str, row.values()))
    console = Console()
    console.print(table)
    console.print(f"kept in {path}", soft_wrap=True)


if __name__ == "__main__":
    messages = load_messages()
    train(messages)
    Console().print(f"kept in {weights.FILE}", soft_wrap=True)
    examples = examples_of(load_secrets(), messages)
    train_secret_values(examples)
    _show(figures(hold_out(examples)), secret_values.FILE)
