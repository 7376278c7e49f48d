"""What takes long, on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text


class Progress:
    """A line for each thing that is said, and on a terminal a spinner while it goes on."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)

    def __call__(self, text: str) -> None:
        self._console.print(Text(text, style="dim"), soft_wrap=True)

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with self._console.status(Text(text, style="dim")):
            yield
