"""Where a message is cut: around quotations by their marks, else where the encoder says. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.understanding.encoded_text import TextWord
from memory.understanding.types import SENTENCE_ENDS

# Found on writers that were held out: docs/decisions/0025-offline-reader.md.
CUT_FROM = 0.3
# Behind the mark that ends a sentence, and behind another one.
CUT_BEHIND_AN_END = 0.008
_CUT_BEHIND_A_MARK, _OTHER_MARKS = 0.1, ",;:–—-"
# What ends a sentence in letters that the encoder does not know.
_END_ELSEWHERE = re.compile(r"[。！？؟।۔]+|(?<=[^\x00-\u024f])[.!?…]+(?=\s)")
# Words of somebody else, and no title or nickname. The upper bound keeps the search linear.
_QUOTED = re.compile(
    r'"[^"]{25,2000}"|“[^”]{25,2000}”|„[^“”]{25,2000}[“”]|«[^»]{25,2000}»'
    r"|(?<!\w)['‘][^\n]{25,600}?['’](?!\w)|^[ \t]*[>|].*$",
    re.DOTALL | re.MULTILINE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADER = re.compile(r"^[A-Z][\w-]{1,12}: \S.*\n[A-Z][\w-]{1,12}: \S", re.MULTILINE)
_SYMBOLS = re.compile(r"[{}\[\]<>=;|\\_$`#*()]")
_LINK = re.compile(r"(?<!\S)\S+://\S+")
# Words that are set off by Markdown are prose.
_EMPHASIS = re.compile(r"(?<![\w*_`])([*_]{1,3}|`)(?=\S)([^\n*_`]+)(?<=\S)\1(?![\w*_`])")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}|[-*+])[ \t]+")
_CODE_FROM = 0.08
_FEWEST_SYMBOLS = 3
# Where a segment may begin, with how probable that is.
Gaps = Sequence[tuple[TextWord, float]]


@dataclass(frozen=True)
class SegmentSpan:
    """From `start` to `end` of the text; `quoted` where the words are not the writer's own."""

    start: int
    end: int
    quoted: bool = False


def split_segments(text: str, gaps: Gaps, *, quotations: bool = True) -> list[SegmentSpan]:
    """The segments of a readable text, without the space around them. With `quotations`, what
    stands in quotation marks is a segment of its own; code and mail headers always are."""
    cuts = [word.start for word, share in gaps if share >= _cut_from(text, word.start)]
    cuts = sorted([*cuts, *(each.end() for each in _END_ELSEWHERE.finditer(text))])
    found: list[SegmentSpan] = []
    for part in _parts(text, quotations):
        found += [part] if part.quoted else _cut(part, cuts)
    return [trimmed for each in found if (trimmed := _trimmed(text, each))]


def _cut_from(text: str, place: int) -> float:
    before = text[max(0, place - 3) : place].rjust(3)
    mark = before[1] if before[2].isspace() else ""
    if mark and mark in SENTENCE_ENDS and not before[0].isdigit():  # as in “on the 3. of May”
        return CUT_BEHIND_AN_END
    return _CUT_BEHIND_A_MARK if mark and mark in _OTHER_MARKS else CUT_FROM


def _parts(text: str, quotations: bool) -> Iterator[SegmentSpan]:
    """The writer's own words and those of others, in turn."""
    header = _HEADER.search(text)
    end = header.start() if header else len(text)
    at = 0
    found = [*_code(text, end), *(_quoted(text, end) if quotations else ())]
    for start, stop in sorted(found, key=lambda each: (each[0], -each[1])):
        if start < at:
            continue
        yield SegmentSpan(at, start)
        yield SegmentSpan(start, stop, quoted=True)
        at = stop
    yield SegmentSpan(at, end)
    if header:
        yield SegmentSpan(end, len(text), quoted=True)


def _quoted(text: str, end: int) -> Iterator[tuple[int, int]]:
    for each in _QUOTED.finditer(text, 0, end):
        yield each.span()


def _code(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Fenced, or lines in which signs that prose does not need are more than one in twelve."""
    for each in _FENCED.finditer(text, 0, end):
        yield each.span()
    at = 0
    for line in text[:end].splitlines(keepends=True):
        prose = _EMPHASIS.sub(r"\2", _HEADING.sub("", _LINK.sub("", line)))
        symbols = len(_SYMBOLS.findall(prose))
        if symbols >= max(_FEWEST_SYMBOLS, _CODE_FROM * len(prose)):
            yield at, at + len(line)
        at += len(line)


def _cut(part: SegmentSpan, cuts: Sequence[int]) -> Iterator[SegmentSpan]:
    start = part.start
    for place in cuts:
        if start < place < part.end:
            yield SegmentSpan(start, place)
            start = place
    yield SegmentSpan(start, part.end)


def _trimmed(text: str, span: SegmentSpan) -> SegmentSpan | None:
    """None where nothing but white space and marks is left."""
    words = text[span.start : span.end]
    if not any(each.isalnum() for each in words):
        return None
    start = span.start + len(words) - len(words.lstrip())
    return SegmentSpan(start, span.start + len(words.rstrip()), span.quoted)
