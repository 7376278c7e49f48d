"""How far the words go that somebody asks to be remembered. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.understanding.sentences import is_question, sentence_ends

_COLON = re.compile(r":(?=\s|$)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,}).*?(?:\n[ \t]*\1|\Z)", re.DOTALL)
_ITEM = re.compile(r"(?:^|(?<=\n))[ \t]*(?:[-*+•–]|\d{1,2}[.)]|[a-z][.)])[ \t]+\S[^\n]*")
_MARK = re.compile(r"(?:^|[\n:])[ \t]*((?:[-*+•–]|\d{1,2}[.)]|[a-z][.)])[ \t]+)$")
_HEADING = re.compile(r"(?:^|(?<=\n))[ \t]*#{1,6}[ \t]+\S")
_STEP = re.compile(r"(?<!\S)(\d{1,2})[.)]\s")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
_SPACE = re.compile(r"\s*")
_DAY = re.compile(
    r"\b(?:(?:am|den|der|dem|des|zum|vom|ab|bis) \d{1,2}\.$|\d{1,2}\.$(?= [^\W\dA-Z]))",
    re.IGNORECASE,
)
_LONGEST_DAY = 8
# Marks that belong to the word behind them, and those around the words.
_OPENING = "\"“„«‘'(*_`#["
_QUOTES = (("“", "”"), ("„", "“"), ("«", "»"), ('"', '"'))
_PAIRS = {**dict(_QUOTES), "‘": "’", "'": "'", "(": ")"}
_BEFORE, _BEHIND = " \t\n.,;:!?…–—-", " \t\n.,;:!…–—"


def find_begin(text: str, start: int, end: int, named: str | None, *, first: bool) -> int | None:
    """Where the words begin that a command at `start` to `end` wants remembered: with those that it
    is known to have `named`, else behind its colon, or on the next line where nothing was said
    `first`; None where it means what was said before."""
    if named is not None and (at := text.find(named, start)) >= 0:
        while at > start and text[at - 1] in _OPENING:
            at -= 1
        mark = _MARK.search(text[start:at])
        return at if mark is None else start + mark.start(1)
    colon = _COLON.search(text, start, end + 1)
    if colon is not None:
        return colon.end()
    return end if first and text.startswith("\n", end) else None


def find_end(text: str, start: int, begin: int, known: int, stops: Sequence[int]) -> int:
    """Where the words end that `begin` in a command at `start` and are known as far as `known`:
    with the sentence, with what a colon, a heading or a line of its own leads to, with the steps of
    a list and with code. Something else is said at the first of the `stops` that is in no list or
    code."""
    end = _sentence_end(text, known)
    colon = _COLON.search(text, start, end)
    if colon is not None or _is_numbered(text[start : _paragraph_end(text, start)]):
        end = _paragraph_end(text, end)
    is_document = _heads(text, begin, end)
    if is_document or text.startswith("\n", begin if colon is None else colon.end()):
        end = len(text)
    end = _with_blocks(text, end)
    blocks = [each.span() for kind in (_FENCE, _ITEM) for each in kind.finditer(text, begin, end)]
    free = (at for at in stops if not any(first <= at < last for first, last in blocks))
    return min([end, *free])


def trim(words: str, *, keeps_question: bool) -> str:
    """Without the marks and the quotation marks around them; what has several lines has its own."""
    words = words.strip()
    if "\n" in words:
        return words
    found = words.lstrip(_BEFORE).rstrip(_BEHIND)
    if not keeps_question and not is_question(found.rstrip("?")):
        found = found.rstrip("?" + _BEHIND)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_BEFORE)
    return found


def has_colon(words: str) -> bool:
    """Whether it leads on to something by a colon."""
    return _COLON.search(words) is not None


def _sentence_end(text: str, at: int) -> int:
    """The end of the sentence, outside of quotation marks that are open there."""
    for end in sentence_ends(text):
        is_day = _DAY.search(text, max(0, end - _LONGEST_DAY), end) is not None
        if end >= at and not is_day and not _is_quoting(text[:end]):
            return end
    return len(text)


def _is_quoting(text: str) -> bool:
    line = text.rpartition("\n")[2]
    return any(
        line.count(opening) % 2 == 1
        if opening == closing
        else line.rfind(opening) > line.rfind(closing)
        for opening, closing in _QUOTES
    )


def _is_numbered(paragraph: str) -> bool:
    """Whether it counts its steps on one line: 1. unplug it 2. wait."""
    numbers = [int(each[1]) for each in _STEP.finditer(paragraph)]
    return any(numbers[at : at + 2] == [1, 2] for at in range(len(numbers)))


def _heads(text: str, begin: int, end: int) -> bool:
    """Whether a heading stands in the words or begins what stands behind them."""
    return any(not text[end : each.start()].strip() for each in _HEADING.finditer(text, begin))


def _paragraph_end(text: str, at: int) -> int:
    found = _PARAGRAPH_END.search(text, at)
    return len(text) if found is None else found.start()


def _with_blocks(text: str, end: int) -> int:
    """With the items and the code that follow directly."""
    while (found := _SPACE.match(text, end)) is not None and "\n" in found[0]:
        line = text.rfind("\n", 0, found.end()) + 1
        block = _FENCE.match(text, line) or _ITEM.match(text, line)
        if block is None:
            break
        end = block.end()
    return end
