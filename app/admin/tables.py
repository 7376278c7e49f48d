"""What a command of the upkeep would do or did, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.terminal.plain import one_line

SHOWN = 200
PIPED_WIDTH = 200
LEAST = 20
_GAP = "  "
_BETWEEN = " · "


def make_console() -> Console:
    """Of the terminal's width; wide enough for whole lines where the output is piped."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)


def show_rows(
    console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """The title, and below it the first SHOWN rows, the last column folded where it is long. Where
    the columns do not fit beside each other, each row is a paragraph: none of it is cut off."""
    console.print(Text(one_line(title), style="bold"), soft_wrap=True)
    if not rows:
        return
    cells = [[one_line(cell) for cell in row] for row in rows[:SHOWN]]
    if _needed(columns, cells) <= console.width:
        console.print(_table(columns, cells))
    else:
        console.print(Text(_BETWEEN.join(columns), style="bold"))
        for row in cells:
            console.print(Text(_BETWEEN.join(filter(None, row)), overflow="fold"))
    if len(rows) > SHOWN:
        console.print(f"and {len(rows) - SHOWN:,} more")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns[:-1]:
        table.add_column(column, no_wrap=True)
    table.add_column(columns[-1], ratio=1, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _needed(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns of the terminal, with LEAST of them for the last column of the table, or what it
    holds where that is less."""
    *whole, last = (max(map(cell_len, held)) for held in zip(columns, *rows, strict=True))
    return sum(whole) + len(_GAP) * len(whole) + min(last, LEAST)


def counted(number: int, noun: str = "memory", nouns: str = "memories") -> str:
    return f"{number:,} {noun if number == 1 else nouns}"
