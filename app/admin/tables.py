"""What a command of the upkeep would do or did, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.terminal.plain import one_line

SHOWN = 200
PIPED_WIDTH = 200


def make_console() -> Console:
    """Of the terminal's width; wide enough for whole lines where the output is piped."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)


def show_rows(
    console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """The title, and below it the first SHOWN rows, the last column folded where it is long."""
    console.print(Text(one_line(title), style="bold"), soft_wrap=True)
    if not rows:
        return
    table = Table(box=None, pad_edge=False)
    for column in columns[:-1]:
        table.add_column(column, no_wrap=True)
    table.add_column(columns[-1], ratio=1, overflow="fold")
    for row in rows[:SHOWN]:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console.print(table)
    if len(rows) > SHOWN:
        console.print(f"and {len(rows) - SHOWN:,} more")


def counted(number: int, noun: str = "memory", nouns: str = "memories") -> str:
    return f"{number:,} {noun if number == 1 else nouns}"
