"""Shows the page: sections beside one another, or line by line where nobody looks."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from app.stats.drawing import WIDTH as BLOCKS_WIDTH
from app.stats.sections import Line, Section

WIDTH = 61
MOST_COLUMNS = 3


def show(console: Console, title: str, sections: Sequence[Section], *, plain: bool) -> None:
    """`plain` has one line for each number, parted by tabs, under the title of its section."""
    if plain:
        _show_plain(console, title, sections)
        return
    console.print(Text(title, style="bold"))
    columns = max(min(console.width // WIDTH, MOST_COLUMNS), 1)
    grid = Table.grid()
    grid.add_row(*(Group(*map(_panel, each)) for each in _balanced(sections, columns)))
    console.print(grid)


def _balanced(sections: Sequence[Section], columns: int) -> list[list[Section]]:
    """Each section stands in the column that is the shortest so far."""
    found: list[list[Section]] = [[] for _ in range(columns)]
    for section in sections:
        min(found, key=lambda column: sum(len(each.lines) + 2 for each in column)).append(section)
    return found


def _show_plain(console: Console, title: str, sections: Sequence[Section]) -> None:
    lines = [title]
    for section in sections:
        lines += ["", section.title]
        lines += [_plainly(line) for line in section.lines]
    # Past the console, which would make spaces of the tabs.
    print("\n".join(lines), file=console.file, flush=True)


def _plainly(line: Line) -> str:
    drawn = line.drawn if line.drawn.isascii() else ""
    return "\t".join(each for each in (line.name.strip(" ·"), line.value, drawn) if each)


def _panel(section: Section) -> Panel:
    table = Table.grid(padding=(0, 1))
    table.add_column(width=24, no_wrap=True, overflow="ellipsis")
    table.add_column(width=14, justify="right", no_wrap=True)
    table.add_column(width=BLOCKS_WIDTH, style="cyan", no_wrap=True, overflow="crop")
    for line in section.lines:
        table.add_row(Text(line.name), Text(line.value, style="bold"), Text(line.drawn))
    return Panel(table, title=section.title, title_align="left", width=WIDTH)
