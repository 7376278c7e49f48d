"""Sentences with their relative dates put into words that stay true."""

from __future__ import annotations

from datetime import datetime

from memory.dates.finding import find
from memory.dates.spoken import Found
from memory.dates.words import GOVERNING, IS, pattern

_REACH = 40
_GOVERNED = pattern(
    rf"\b(?:on|{GOVERNING})\s+(?:(?:early|mid|late)[\s-]+)?$|\bmid-$|\bbetween\s.+\sand\s$"
)
_CLAUSE_START = pattern(r"(?:^|[.!?;:,\n(])\s*$")
_SENTENCE_START = pattern(r"(?:^|[.!?\n(])[\s\"“]*$")
_IS = pattern(IS)
_POSSESSIVE = pattern(r"['’]s\b")
_SHORT = ("minute", "day", "month", "year")


def resolve(text: str, said_at: datetime, *, ahead: bool = False) -> tuple[str, datetime | None]:
    """The text as it can be understood at any time, and when what it tells of happened.

    "I moved to Bergen last Friday" → "I moved to Bergen on 12 June 2026". Absolute dates,
    habits and words whose date is open (a birthday "in May") stay as they are. "Today" is
    replaced where it dates an event and "now" never is. The moment is the beginning of the
    first date that is settled, None without one. What was resolved once stays as it is. `ahead`
    says that the text tells of a plan, whose days are still to come.
    """
    dates = [found for found in find(text, said_at, ahead=ahead) if found.reading.certain]
    happened = dates[0].spoken.begins if dates else None
    for found in reversed(dates):
        if found.reading.relative:
            start, end = found.core
            text = text[:start] + _words(text, found) + text[_end(text, found, end) :]
    return text, happened


def _words(text: str, found: Found) -> str:
    reading, (start, end) = found.reading, found.core
    if reading.words is not None:
        return reading.words
    before = text[max(0, start - _REACH) : start]
    name = reading.period.name
    if _takes_possessive(text, found, end):
        words = name if _ends_in_the(before) else f"the {name}"
    elif _needs_no_preposition(before, text[end : end + _REACH]):
        words = name
    else:
        words = f"{reading.period.preposition} {name}"
    opens = text[start].isupper() and _SENTENCE_START.search(before)
    return words[0].upper() + words[1:] if opens else words


def _needs_no_preposition(before: str, after: str) -> bool:
    """After a preposition, as the subject of a sentence, and before a possessive."""
    if _GOVERNED.search(before) or _POSSESSIVE.match(after):
        return True
    return bool(_CLAUSE_START.search(before) and _IS.match(after))


def _takes_possessive(text: str, found: Found, end: int) -> bool:
    """ "Yesterday's meeting", which becomes "the 14 June 2026 meeting"."""
    if found.reading.period.grain not in _SHORT or _IS.match(text, end):
        return False
    return _POSSESSIVE.match(text, end) is not None


def _end(text: str, found: Found, end: int) -> int:
    words = found.reading.words
    return end + 2 if words is None and _takes_possessive(text, found, end) else end


def _ends_in_the(before: str) -> bool:
    return before.lower().endswith("the ")
