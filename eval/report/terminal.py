"""The terminal of a command: wide enough for its tables, and a bar beside them."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

FILE_WIDTH = 140


def open_console() -> Console:
    """As wide as the terminal; wide enough for the tables in a file or a pipe."""
    console = Console()
    return console if console.is_terminal else Console(width=FILE_WIDTH)


def open_bar() -> Progress:
    """On stderr, so that a pipe has the figures alone."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
