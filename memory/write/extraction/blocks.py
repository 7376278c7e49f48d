"""Which part of a message is the person's own prose, and not code, a quotation or a paste. Pure."""

from __future__ import annotations

import re

PASTED_FROM_CHARS = 1200
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |import \w|from \w+ import|return\b.*[;()]|function\b|const |let \w+ ?="
    r"|var |#include|public |private |\$ |>>> |<\/?[a-z]+[^>]*>|SELECT\b.*\bFROM\b|Traceback"
    r"|File \"|at \w+\.|[{}\[\]();]+\s*$|[\w.]+ ?[:+-]?= ?\S|//|/\*|git |npm |pip |docker |sudo "
    r"|curl )|[;{]\s*$|\bif __name__|=> ?\{|^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
)
_QUOTED_LINE = re.compile(r"^\s*(?:>|\|)")
_LETTER_HEAD = re.compile(r"^\s*(?:from|to|subject|cc|sent|date)\s*:\s*\S", re.IGNORECASE)
_LETTER_OPENING = re.compile(
    r"^\s*(?:dear\s+[\w .]{1,40},|(?:hi|hello)\s+[\w .]{1,40},\s*$)", re.IGNORECASE
)
_LETTER_END = re.compile(
    r"^\s*(?:(?:kind|best|warm)(?:est)?\s+)?(?:regards|wishes|sincerely|yours\b|cheers,|best,)",
    re.IGNORECASE,
)
_OWN_WORD = re.compile(r"\b(?:I|I'm|I've|my|me|we|our)\b", re.IGNORECASE)
_OWN_SHARE = 0.02


def own_prose(text: str) -> str:
    """The message without code, quoted lines and pasted letters, lines kept apart.

    A letter goes from its heading or salutation to the end of the message, where both
    its beginning and its end, or two headings, can be seen.
    """
    lines = _FENCE.sub("\n", text).split("\n")
    return "\n".join(filter(_is_prose, lines[: _letter_begin(lines)])).strip()


def is_code(text: str) -> bool:
    """Whether nothing but code is left of the message."""
    if not text.strip() or own_prose(text):
        return False
    without = _FENCE.sub("", text)
    return without != text or any(_CODE_LINE.search(line[:400]) for line in without.split("\n"))


def is_pasted(text: str) -> bool:
    """Whether this is something the person quotes: long, and hardly a word of theirs in it.

    Over PASTED_FROM_CHARS characters with less than 2% of "I", "my", "we" among the words,
    or nothing but quoted lines or a letter.
    """
    prose = own_prose(text)
    if not prose:
        return bool(text.strip()) and not is_code(text)
    if len(prose) <= PASTED_FROM_CHARS:
        return False
    return len(_OWN_WORD.findall(prose)) < _OWN_SHARE * len(prose.split())


def _is_prose(line: str) -> bool:
    return not (_QUOTED_LINE.match(line) or _CODE_LINE.search(line[:400]))


def _letter_begin(lines: list[str]) -> int:
    heads = [number for number, line in enumerate(lines) if _LETTER_HEAD.match(line)]
    if len(heads) > 1:
        return heads[0]
    ends = any(_LETTER_END.match(line) for line in lines)
    opening = (number for number, line in enumerate(lines) if _LETTER_OPENING.match(line))
    return next(opening, len(lines)) if ends else len(lines)
