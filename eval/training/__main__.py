"""Fits the models anew, writes them into the package and shows their figures."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from eval.training.left_out import train
from eval.training.sentences import load_sentences
from memory.understanding.left_out import FILE

if __name__ == "__main__":
    rows = train(load_sentences())
    table = Table(*rows[0], title="each writer heard by what learned from the others")
    for row in rows:
        table.add_row(*map(str, row.values()))
    console = Console()
    console.print(table)
    console.print(f"kept in {FILE}", soft_wrap=True)
