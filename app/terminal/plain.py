"""Text as a terminal may be shown it. Pure functions."""

from __future__ import annotations

import re

from rich.text import Text

# Control characters but tab and line end, lone surrogates, and the marks that turn the direction
# of writing: with any of them a reply could move the cursor, retitle the window or pose as
# another text.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def safe(text: str) -> str:
    """Without anything that a terminal would obey instead of showing it."""
    return _UNSAFE.sub("", text)


def one_line(text: str) -> str:
    return " ".join(safe(text).split())


def cut(text: str, width: int | None) -> str:
    """At most `width` columns (a wide sign has two), the last one an ellipsis if it was longer."""
    if width is None:
        return text
    shortened = Text(text)
    shortened.truncate(max(width, 1), overflow="ellipsis")
    return shortened.plain
