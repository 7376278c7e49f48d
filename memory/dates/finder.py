"""Finds the dates of a text with their times of day, and puts relative ones into words that stay
true."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memory.dates.absolute import ABSOLUTE, MONTHS_ALONE, NUMERIC
from memory.dates.calendar import (
    CLAUSE_END,
    GOVERNING,
    IS,
    MONTH,
    SEASON,
    WEEKDAY,
    FoundDate,
    SpokenDate,
    pattern,
    vocabulary_of,
)
from memory.dates.relative import COUNTED, DAYS_OF_A_WEEK, RELATIVE, WEEKDAYS
from memory.dates.tense import DateContext, DateRule

_TIME = (
    r"(?:(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour24>[0-9]{1,2}):(?P<minute24>[0-9]{2})\b|(?P<word>noon|midday|midnight)\b"
    rf"|(?P<bare>[0-9]{{1,2}})(?:\s+o['’]clock\b|(?=\s*$)|{CLAUSE_END}"
    r"|(?=\s+(?:and|with|in|on|to|for)\b)))"
)
_AFTER = pattern(rf"(?:,?\s+(?:at|around|by|from)\s+|,?\s+(?=[0-9:.]+\s*[ap]\.?m|[0-9]+:)){_TIME}")
_BEFORE = pattern(rf"(?:\b(?P<at>at|around|by)\s+|(?<![\w:.]))(?<!\bin\s){_TIME}\s+(?:on\s+)?$")
_GOVERNS = pattern(rf"{GOVERNING}\b")
_NOON = 12
_EARLIEST_MORNING = 7


def add_clock_times(text: str, dates: Sequence[FoundDate]) -> list[FoundDate]:
    """The dates with the time of day that stands right after or before them."""
    timed: list[FoundDate] = []
    nexts = [*(found.spoken.start for found in dates[1:]), len(text)]
    for found, limit in zip(dates, nexts, strict=False):
        free = timed[-1].spoken.end if timed else 0
        timed.append(_with_clock(text, found, free, limit))
    return timed


def _with_clock(text: str, found: FoundDate, free: int, limit: int) -> FoundDate:
    """The time may stand anywhere between the dates before and after, `free` and `limit`."""
    spoken = found.spoken
    if spoken.grain != "day" or spoken.ends - spoken.begins > timedelta(days=1):
        return found
    after = _AFTER.match(text, spoken.end, limit)
    if after is not None:
        return _timed(text, found, after, spoken.start, after.end())
    reach = max(free, spoken.start - 20)
    before = _BEFORE.search(text[reach : spoken.start])
    if before is None or _GOVERNS.match(text, spoken.start) or _is_a_count(before):
        return found
    return _timed(text, found, before, reach + before.start(), spoken.end)


def _is_a_count(before: re.Match[str]) -> bool:
    """ "I ate 3 yesterday"."""
    return bool(before["bare"]) and not before["at"]


def _timed(text: str, found: FoundDate, match: re.Match[str], start: int, end: int) -> FoundDate:
    late = re.search(r"\b(?:tonight|evening|night|afternoon)\b", text[start:end], re.I) is not None
    moment = _moment(found.spoken.begins, match, late=late)
    if moment is None:
        return found
    spoken = SpokenDate(
        start, end, moment, moment + timedelta(minutes=1), "minute", found.spoken.relative
    )
    return replace(found, spoken=spoken, reading=replace(found.reading, certain=True))


def _moment(day: datetime, match: re.Match[str], *, late: bool) -> datetime | None:
    """An hour without am or pm is read as people mean it: "at 3" is three in the afternoon."""
    if match["word"]:
        return day.replace(hour=0 if match["word"].lower() == "midnight" else _NOON)
    hour = int(match["hour"] or match["hour24"] or match["bare"])
    minute = int(match["minute"] or match["minute24"] or 0)
    if match["half"]:
        hour = hour % _NOON + (_NOON if match["half"].lower() == "p" else 0)
    elif hour < _NOON and (late or (match["bare"] and hour < _EARLIEST_MORNING)):
        hour += _NOON
    try:
        return day.replace(hour=hour, minute=minute)
    except ValueError:
        return None


_NAMES = rf"(?:{WEEKDAY}|{MONTH}|{SEASON}|day|night|week|weekend|month|year|morning|evening)"
# Words of time that are no date: habits, a place in a row, and days after a story's day.
_NO_DATES = (
    pattern(
        r"\b(?:every|each|any|most|per)\s+(?:other\s+|single\s+|second\s+|third\s+|last\s+|next\s+)?"
        rf"{_NAMES}(?:\s+(?:and|or)\s+{WEEKDAY})*\b"
    ),
    pattern(
        r"\bthe\s+(?:first|second|third|fourth|last|next|previous|following|same|whole)\s+"
        rf"{_NAMES}\b"
    ),
    pattern(rf"\b{WEEKDAY}\s*(?:-|–|to|through|thru|till|until)\s*{WEEKDAY}\b"),
)
# First what needs the most words, so that "3 March last year" is not read as "last year".
# In this order: the first rule to claim a span keeps it.
RULES = (*DAYS_OF_A_WEEK, *NUMERIC, *ABSOLUTE, *COUNTED, *RELATIVE, *WEEKDAYS, *MONTHS_ALONE)
_YEARS = range(1900, 2100)  # those that are recognised when they are written out
_QUOTES = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»", "*": "*", "_": "_"}


def find_dates(text: str, said_at: datetime) -> list[SpokenDate]:
    """The dates of an English text in their order, read at `said_at`, in its own offset.

    Habits ("every Friday", "on Mondays"), durations ("for two years") and ordinary words
    ("may", "march", "second", "now") are none. A month alone counts after in, since, until, by,
    last, next and this. Dates without a year or a week are read by the tense of their clause:
    after a past verb the last one, else the coming one. Years from 1900 to 2099.
    """
    return [found.spoken for found in match_dates(text, said_at)]


def match_dates(text: str, said_at: datetime) -> list[FoundDate]:
    """The same with what a rewritten sentence needs."""
    taken = bytearray(len(text))
    for match in _no_dates(text):
        _take(taken, *match.span())
    scene, words = DateContext(text, said_at), vocabulary_of(text)
    dates: list[FoundDate] = []
    for rule in RULES:
        for found in _read(rule, scene) if rule.may_match(words) else ():
            if not any(taken[found.spoken.start : found.spoken.end]):
                _take(taken, found.spoken.start, found.spoken.end)
                dates.append(found)
    return add_clock_times(text, sorted(dates, key=lambda found: found.spoken.start))


def _take(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


def _no_dates(text: str) -> Iterator[re.Match[str]]:
    for words in _NO_DATES:
        yield from words.finditer(text)


def _read(rule: DateRule, scene: DateContext) -> Iterator[FoundDate]:
    for match in rule.pattern.finditer(scene.text):
        if _is_quoted(scene.text, match):
            continue
        try:
            reading = rule.read(match, scene)
        except (ValueError, OverflowError):  # no such day, or a year beyond the calendar
            continue
        if reading is not None and reading.period.begins.year in _YEARS:
            period = reading.period
            spoken = SpokenDate(
                *match.span(), period.begins, period.ends, period.grain, reading.relative
            )
            yield FoundDate(spoken, reading, reading.core or match.span())


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """A title, not a date: the song "Yesterday"."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before in _QUOTES and after == _QUOTES[before]


_REACH = 40
_GOVERNED = pattern(
    rf"\b(?:on|{GOVERNING})\s+(?:(?:early|mid|late)[\s-]+)?$|\bmid-$|\bbetween\s.+\sand\s$"
)
_CLAUSE_START = pattern(r"(?:^|[.!?;:,\n(])\s*$")
_SENTENCE_START = pattern(r"(?:^|[.!?\n(])[\s\"“]*$")
_IS = pattern(IS)
_SAYS_ON = pattern(r"on\b")
_POSSESSIVE = pattern(r"['’]s\b")
_SHORT = ("minute", "day", "month", "year")


def resolve_dates(text: str, said_at: datetime) -> tuple[str, datetime | None]:
    """The text as it can be understood at any time, and when what it tells of happened.

    "I moved to Bergen last Friday" → "I moved to Bergen on 12 June 2026". Absolute dates,
    habits and words whose date is open (a birthday "in May") stay as they are. "Today" is
    replaced where it dates an event and "now" never is. The moment is the beginning of the
    first date that is settled, None without one. What was resolved once stays as it is.
    """
    dates = [found for found in match_dates(text, said_at) if found.reading.certain]
    happened = dates[0].spoken.begins if dates else None
    for found in reversed(dates):
        if found.reading.relative:
            start, end = found.core
            text = text[:start] + _words(text, found) + text[_end(text, found, end) :]
    return text, happened


def _words(text: str, found: FoundDate) -> str:
    reading, (start, end) = found.reading, found.core
    if reading.words is not None:
        return reading.words
    before = text[max(0, start - _REACH) : start]
    name = reading.period.name
    if _takes_possessive(text, found, end):
        words = name if _ends_in_the(before) else f"the {name}"
    elif _SAYS_ON.match(text, start):
        words = f"{reading.period.preposition} {name}"
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


def _takes_possessive(text: str, found: FoundDate, end: int) -> bool:
    """ "Yesterday's meeting", which becomes "the 14 June 2026 meeting"."""
    if found.reading.period.grain not in _SHORT or _IS.match(text, end):
        return False
    return _POSSESSIVE.match(text, end) is not None


def _end(text: str, found: FoundDate, end: int) -> int:
    words = found.reading.words
    return end + 2 if words is None and _takes_possessive(text, found, end) else end


def _ends_in_the(before: str) -> bool:
    return before.lower().endswith("the ")
