"""One HTML file that needs nothing else: tables, text, and plots within it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from eval.report.tables import shown

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
class Grid:
    """A table; a number is shown as the terminal shows it, and None as –."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Plot:
    """`png` with what it shows in words, for those who do not see it."""

    caption: str
    png: bytes


@dataclass(frozen=True)
class Section:
    title: str
    text: str = ""
    grids: Sequence[Grid] = field(default_factory=tuple)
    plots: Sequence[Plot] = field(default_factory=tuple)


def render(title: str, about: Mapping[str, Any], sections: Sequence[Section]) -> str:
    """The page, with what it is about on top."""
    facts = Grid("", ("", ""), [(name.replace("_", " "), value) for name, value in about.items()])
    body = "\n".join([_grid(facts), *map(_section, sections)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    parts = [*map(_grid, section.grids), *map(_plot, section.plots)]
    return (
        f"<section>\n<h2>{escape(section.title)}</h2>\n{text}\n" + "\n".join(parts) + "</section>"
    )


def _grid(grid: Grid) -> str:
    caption = f"<caption>{escape(grid.caption)}</caption>" if grid.caption else ""
    head = _row("th", grid.columns) if any(grid.columns) else ""
    body = "\n".join(_row("td", row) for row in grid.rows)
    return f'<div class="wide"><table>{caption}\n{head}\n{body}\n</table></div>'


def _row(cell: str, values: Sequence[Any]) -> str:
    return "<tr>" + "".join(f"<{cell}>{escape(_told(each))}</{cell}>" for each in values) + "</tr>"


def _told(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else shown(value)


def _plot(plot: Plot) -> str:
    image = b64encode(plot.png).decode("ascii")
    caption = escape(plot.caption)
    return (
        f'<figure><img alt="{caption}" src="data:image/png;base64,{image}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )
