"""Fits the models anew, writes them into the package and shows their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from eval.training.left_out import train
from eval.training.secret_values import examples_of, figures, hold_out, train_secret_values
from eval.training.sentences import load_messages, load_secrets, load_sentences
from memory.understanding import left_out, secret_values


def _show(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    table = Table(*rows[0], title="each writer heard by what learned from the others")
    for row in rows:
        table.add_row(*map(str, row.values()))
    console = Console()
    console.print(table)
    console.print(f"kept in {path}", soft_wrap=True)


if __name__ == "__main__":
    _show(train(load_sentences()), left_out.FILE)
    examples = examples_of(load_secrets(), load_messages())
    train_secret_values(examples)
    _show(figures(hold_out(examples)), secret_values.FILE)
