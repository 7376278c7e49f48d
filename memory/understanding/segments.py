"""Where a message is cut: around quotations by their marks, else where a trained head says so.
Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.understanding.features import Token, gap_features, tokens_of
from memory.understanding.weights import Head

# Found on writers that were held out: see the model card.
CUT_FROM = 0.4
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
_CODE_FROM = 0.08
_FEWEST_SYMBOLS = 3


@dataclass(frozen=True)
class Span:
    """From `start` to `end` of the text; `quoted` where the words are not the writer's own."""

    start: int
    end: int
    quoted: bool = False


def spans_of(text: str, boundary: Head, *, quotations: bool = True) -> list[Span]:
    """The segments of a readable text, without the space around them. With `quotations`, what
    stands in quotation marks is a segment of its own; code and mail headers always are."""
    found: list[Span] = []
    for part in _parts(text, quotations):
        if part.quoted:
            found.append(part)
        else:
            found += _cut(text, part, boundary)
    return [trimmed for each in found if (trimmed := _trimmed(text, each))]


def _parts(text: str, quotations: bool) -> Iterator[Span]:
    """The writer's own words and those of others, in turn."""
    header = _HEADER.search(text)
    end = header.start() if header else len(text)
    at = 0
    found = [*_code(text, end), *(_quoted(text, end) if quotations else ())]
    for start, stop in sorted(found, key=lambda each: (each[0], -each[1])):
        if start < at:
            continue
        yield Span(at, start)
        yield Span(start, stop, quoted=True)
        at = stop
    yield Span(at, end)
    if header:
        yield Span(end, len(text), quoted=True)


def _quoted(text: str, end: int) -> Iterator[tuple[int, int]]:
    for each in _QUOTED.finditer(text, 0, end):
        yield each.span()


def _code(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Fenced, or lines in which signs that prose does not need are more than one in twelve."""
    for each in _FENCED.finditer(text, 0, end):
        yield each.span()
    at = 0
    for line in text[:end].splitlines(keepends=True):
        prose = _LINK.sub("", line)
        symbols = len(_SYMBOLS.findall(prose))
        if symbols >= max(_FEWEST_SYMBOLS, _CODE_FROM * len(prose)):
            yield at, at + len(line)
        at += len(line)


def _cut(text: str, part: Span, boundary: Head) -> Iterator[Span]:
    start = part.start
    tokens = tokens_of(text[part.start : part.end])
    for token, share in gaps_of(tokens, boundary)[1:]:
        if share >= CUT_FROM:
            yield Span(start, part.start + token.start)
            start = part.start + token.start
    yield Span(start, part.end)


def gaps_of(tokens: Sequence[Token], boundary: Head) -> list[tuple[Token, float]]:
    """Each word and mark, with how probable it is that a segment begins there; 1 for the first."""
    shares = (boundary.yes(gap_features(tokens, gap)) for gap in range(1, len(tokens)))
    return list(zip(tokens, (1.0, *shares), strict=False))


def _trimmed(text: str, span: Span) -> Span | None:
    """None where nothing but white space and marks is left."""
    words = text[span.start : span.end]
    if not any(each.isalnum() for each in words):
        return None
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, span.start + len(words.rstrip()), span.quoted)
