"""Where the sentences and clauses of a text end. Pure, English first, linear in the length."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A run of marks is looked at from its beginning only, or a long one would take quadratic time.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”’')\]]*+(?=\s|$)|[。！？]+[」』”]*|\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?i:e\.g|i\.e|dr|mrs?|ms|prof|st|vs|approx|nr|jr|sr|dept|jan|feb|aug|sept?|oct|nov"
    r"|dec)|\b[A-HJ-Z]|(?:^|\n)[ \t]*\d{1,2})\.$"
)
_LOOK_BACK = 12
_CLAUSE_END = re.compile(r"[,;:](?=\s)|(?=\s[–—-]\s)|[、，；]")


def sentence_ends(text: str) -> Iterator[int]:
    """The places after each final mark and before each line end. A full stop after an abbreviation,
    an initial or an item's number ends nothing."""
    for match in _SENTENCE_END.finditer(text):
        at = match.start() if match[0] == "\n" else match.end()
        if match[0] != "." or not _ABBREVIATED.search(text, max(0, at - _LOOK_BACK), at):
            yield at


def clause_ends(text: str) -> Iterator[int]:
    """The places after each comma, semicolon and colon, and before each dash between words."""
    return (match.end() for match in _CLAUSE_END.finditer(text))


def sentences(text: str) -> Iterator[str]:
    """The sentences with their final marks, without empty ones."""
    start = 0
    for end in sentence_ends(text):
        if piece := text[start:end].strip():
            yield piece
        start = end
    if rest := text[start:].strip():
        yield rest
