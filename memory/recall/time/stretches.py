"""The stretches of time that a question names, found by `memory.dates` and widened to what people
mean when they ask, with what only questions have: seasons, holidays, "the last two weeks". Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from memory.dates import SpokenDate, find_dates
from memory.dates.periods import midnight, shifted
from memory.dates.words import (
    LONG_UNIT,
    MONTH,
    NUMBER,
    SEASON,
    UNIT,
    WEEKDAY,
    YEAR,
    number_of,
    pattern,
)
from memory.recall.time.occasions import Stretch, find_holidays, find_seasons, find_weekends
from memory.recall.time.wording import tense_of

_DAY = timedelta(days=1)
_YEARS = pattern(
    rf"\b(?:between|from)\s+(?P<first>{YEAR})\s*(?:and|to|until|till|through|-|–)\s*"
    rf"(?P<last>{YEAR})\b(?![-/])"
)
_LAST = pattern(
    rf"\b(?:(?:in|over|during|within|for|throughout)\s+)?the\s+(?P<step>last|past|next|coming)\s+"
    rf"(?:(?P<count>{NUMBER})\s+)?(?P<unit>{LONG_UNIT})s?\b(?!\s+of\b)"
)
_AWAY = pattern(rf"(?P<count>{NUMBER})\s+(?P<unit>{UNIT})s?\s*(?:ago|from|$)")
_VAGUE = pattern(r"\b(?:about|around|roughly|almost|nearly|over|more\s+than|some|or|to)\b|[-–]")
# How far "so many of these ago" may be from what it says; vague counts are off by one more.
_SLACK = {"day": 0, "week": 4, "fortnight": 4, "month": 15, "year": 60, "decade": 365}
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 365, "decade": 3650}
# "During May" is read as "in May", which `memory.dates` knows; the length stays the same.
_IN_MONTH = pattern(
    r"\b(?P<lead>for|from|during|before|after|throughout|around|as\s+of|back\s+in)(?=\s+"
    rf"(?:(?:early|mid|late)[\s-])?{MONTH}\b)"
)
_NAMES_MONTH = pattern(rf"\b(?:{MONTH}|{SEASON})\b")
_NAMES_WEEKDAY = pattern(rf"\b{WEEKDAY}\b")


def find_stretches(question: str, now: datetime) -> list[Stretch]:
    """All of them in their order; none overlaps another. Raises OverflowError and ValueError
    beyond the calendar."""
    found: list[Stretch] = []
    for read in (_years, _lasts, find_holidays, find_seasons, find_weekends, _dates):
        for stretch in read(question, now):
            if not any(_overlap(stretch, other) for other in found):
                found.append(stretch)
    return sorted(found, key=lambda stretch: stretch.start)


def _overlap(one: Stretch, other: Stretch) -> bool:
    return one.start < other.end and other.start < one.end


def _years(question: str, now: datetime) -> Iterator[Stretch]:
    first_day = midnight(now).replace(month=1, day=1)
    for match in _YEARS.finditer(question):
        first, last = int(match["first"]), int(match["last"])
        if first <= last:
            yield Stretch(
                *match.span(), first_day.replace(year=first), first_day.replace(year=last + 1)
            )


def _lasts(question: str, now: datetime) -> Iterator[Stretch]:
    """The last or next so many days, weeks, months or years, with today in it."""
    today = midnight(now)
    for match in _LAST.finditer(question):
        count, _ = number_of(match["count"] or "one")
        if match["step"].lower() in ("last", "past"):
            begins, ends = shifted(today, match["unit"].lower(), -count), today + _DAY
        else:
            begins, ends = today, shifted(today, match["unit"].lower(), count) + _DAY
        yield Stretch(*match.span(), begins, ends)


def _dates(question: str, now: datetime) -> Iterator[Stretch]:
    read = _IN_MONTH.sub(lambda match: "in".ljust(len(match[0])), question)
    for date in find_dates(read, now):
        words = question[date.start : date.end]
        yearless = date.relative and _NAMES_MONTH.search(words) is not None
        stretch = Stretch(date.start, date.end, date.begins, date.ends, yearless)
        lead = _IN_MONTH.match(question, date.start)
        if yearless and lead and lead["lead"].lower() == "as of":
            stretch = _years_back(stretch, now)
        yield _as_asked(question, _widened(stretch, date, words), now)


def _widened(stretch: Stretch, date: SpokenDate, words: str) -> Stretch:
    """An hour is asked for with its day, and "two weeks ago" with the days around it."""
    away = _AWAY.search(words)
    if away is not None:
        unit = away["unit"].lower()
        if unit not in _SLACK:
            return _spread(stretch, timedelta(hours=1))
        vague = number_of(away["count"])[1] or _VAGUE.search(words)
        return _spread(stretch, (_SLACK[unit] + (_DAYS[unit] if vague else 0)) * _DAY)
    if date.grain == "minute":
        day = midnight(stretch.begins)
        return replace(stretch, begins=day, ends=day + _DAY)
    return stretch


def _spread(stretch: Stretch, slack: timedelta) -> Stretch:
    return replace(stretch, begins=stretch.begins - slack, ends=stretch.ends + slack)


def _as_asked(question: str, stretch: Stretch, now: datetime) -> Stretch:
    """ "What have I done in May" looks back, although its verb is "have"."""
    if stretch.begins <= now or tense_of(question, stretch.start, stretch.end) != "past":
        return stretch
    words = question[stretch.start : stretch.end]
    if re.search(r"\bnext\b|\bcoming\b|\btomorrow\b", words, re.IGNORECASE):
        return stretch
    if stretch.yearless:
        return _years_back(stretch, now)
    if _NAMES_WEEKDAY.search(words):
        return replace(stretch, begins=stretch.begins - 7 * _DAY, ends=stretch.ends - 7 * _DAY)
    return stretch


def _years_back(stretch: Stretch, now: datetime) -> Stretch:
    """The latest that has begun."""
    while stretch.begins > now:
        begins, ends = (shifted(each, "year", -1) for each in (stretch.begins, stretch.ends))
        stretch = replace(stretch, begins=begins, ends=ends)
    return stretch
