"""Figures as PNG, drawn without a window, in colours that the colour-blind can tell apart (Wong
2011)."""

from __future__ import annotations

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, "#E69F00")
INK, FAINT = "#444444", "#bbbbbb"
DOTS_PER_INCH = 130
PANEL = (4.4, 3.2)


def panels(count: int, *, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """So many panels beside each other, in `rows` rows that share what lies below."""
    width, height = PANEL
    figure = Figure(figsize=(width * count, height * rows), layout="constrained")
    drawn = figure.subplots(rows, count, squeeze=False)
    return figure, [each for row in drawn for each in row]


def as_png(figure: Figure) -> bytes:
    held = BytesIO()
    figure.savefig(held, format="png", dpi=DOTS_PER_INCH)
    return held.getvalue()


def plain(axes: Axes, title: str, across: str, up: str) -> None:
    """Names the axes, and takes away what says nothing."""
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(color=FAINT, alpha=0.4, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def shares(axes: Axes) -> None:
    """The y axis runs over all that a share can be."""
    axes.set_ylim(-0.02, 1.02)
