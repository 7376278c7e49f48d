"""Markdown that is still being written: what is finished, and what may still change."""

from __future__ import annotations

from itertools import pairwise

from markdown_it import MarkdownIt

_PARSER = MarkdownIt().enable("strikethrough").enable("table")


def split_blocks(text: str) -> list[str]:
    """The top-level blocks of a text: a paragraph, a heading, a whole list. Joined they are the
    text again."""
    starts = [
        token.map[0]
        for token in _PARSER.parse(text)
        if token.level == 0 and token.nesting >= 0 and token.map
    ]
    lines = text.split("\n")
    edges = [0, *starts[1:], len(lines)]
    blocks = ["\n".join(lines[start:end]) for start, end in pairwise(edges)]
    return [f"{block}\n" for block in blocks[:-1]] + blocks[-1:]


class GrowingMarkdown:
    """Takes a text in pieces and gives each block away once it is finished.

    What follows can only change the last block (a list may go on, a paragraph become
    a heading), so that the ones before it can be shown for good.
    """

    def __init__(self) -> None:
        self.unfinished = ""

    def add(self, piece: str) -> list[str]:
        """The blocks that this piece finished; none for most pieces."""
        self.unfinished += piece
        if "\n" not in piece:
            return []
        *finished, self.unfinished = split_blocks(self.unfinished)
        return finished
