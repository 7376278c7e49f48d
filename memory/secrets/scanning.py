"""A long text looked through in pieces, so that no single look takes long."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Characters. A look of the slowest pattern takes milliseconds, and while it lasts no other thread
# of the process runs. Nothing that is looked for needs more than REACH to be seen.
PIECE = 4_000
REACH = 1_000


def scan(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that `pattern.finditer` has, where each is known by its first REACH characters,
    however long it is."""
    begin = 0
    while begin < len(text):
        end = begin + PIECE
        seen = min(end + REACH, len(text))
        for match in pattern.finditer(text, begin, seen):
            if match.start() >= end:
                break
            found = match if match.end() < seen else pattern.match(text, match.start())
            if found is not None:
                yield found
                end = max(end, found.end())
        begin = end
