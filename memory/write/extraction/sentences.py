"""The sentences of a text. Pure, English, linear in the length."""

from __future__ import annotations

import re

_BOUNDARY = re.compile(r"(?<![.!?…])[.!?…]++[\"”')\]]*+(?=\s|$)|(?:(?<!\s)\s+)?\n\s*")
_ABBREVIATION = re.compile(
    r"(?:\b(?i:e\.g|i\.e|dr|mrs?|ms|prof|st|vs|approx|nr|jr|sr|dept|jan|feb|aug|sept?|oct|nov"
    r"|dec)|\b[A-HJ-Z]|^\s*\d{1,2})\.$"
)
_OPENS_OR_CLOSES = re.compile(r"[\"“”]")
_LOOK_BACK = 12
LONGEST_SENTENCE = 600  # beyond it somebody forgot to close a quotation


def split_sentences(text: str) -> list[str]:
    """Sentences with their final marks. What stands between double quotes is not cut.

    A line end ends a sentence; a full stop after an abbreviation, an initial or an
    item's number does not.
    """
    sentences: list[str] = []
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        piece = text[start : boundary.end()]
        if len(piece) < LONGEST_SENTENCE and _goes_on(piece, boundary[0]):
            continue
        if piece.strip():
            sentences.append(piece.strip())
        start = boundary.end()
    rest = text[start:].strip()
    return [*sentences, rest] if rest else sentences


def _goes_on(piece: str, boundary: str) -> bool:
    marks = _OPENS_OR_CLOSES.findall(piece)
    if marks.count("“") > marks.count("”") or marks.count('"') % 2 == 1:
        return True
    return boundary == "." and _ABBREVIATION.search(piece[-_LOOK_BACK:]) is not None
