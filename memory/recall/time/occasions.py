"""Seasons, holidays and weekends of a question, which its tense puts into a year. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from dateutil.easter import easter

from memory.dates.periods import a_season, midnight
from memory.dates.words import SEASON, YEAR, pattern
from memory.recall.time.wording import tense_of

_DAY = timedelta(days=1)
# What ends a phrase of time: "in the summer we went", not "in the summer house".
_ENDS = r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:i|we|he|she|they|and|did|was|were|with|where|who|what)\b)"
_AT = r"(?:at|in|over|during|throughout|around|since|before|after|until|till|by)"
_SEASON = pattern(
    rf"\b(?P<lead>{_AT})\s+(?:the\s+)?(?P<season>{SEASON})\b"
    rf"(?!\s+(?:of\s+)?{YEAR}){_ENDS}"
)
_HOLIDAY = pattern(
    rf"\b(?P<lead>last|this|next|on|{_AT})\s+"
    rf"(?P<name>easter|christmas|xmas|halloween|new\s+year(?:['’]?s)?(?:\s+eve)?)\b{_ENDS}"
)
_WEEKEND = pattern(rf"\b(?:was|were|(?P<for>for))\s+(?P<it>(?:the|my|our|your)\s+weekend)\b{_ENDS}")


@dataclass(frozen=True)
class Stretch:
    """`question[start:end]` names the time from `begins` up to, without, `ends`. `yearless` says
    that its words would do for any year."""

    start: int
    end: int
    begins: datetime
    ends: datetime
    yearless: bool = False


def find_seasons(question: str, now: datetime) -> Iterator[Stretch]:
    """The latest or the coming one; where neither is told by the verb, it is any summer."""
    for match in _SEASON.finditer(question):
        season = match["season"].lower()
        if season == "fall" and match["lead"].lower() not in ("in", "during", "over"):
            continue  # "after the fall" is an accident

        def in_year(year: int, season: str = season) -> tuple[datetime, datetime]:
            period = a_season(season, midnight(now).replace(year=year, month=1, day=1))
            return period.begins, period.ends

        yield from _occurrence(question, match, now, in_year)


def find_holidays(question: str, now: datetime) -> Iterator[Stretch]:
    for match in _HOLIDAY.finditer(question):
        name = match["name"].lower()

        def in_year(year: int, name: str = name) -> tuple[datetime, datetime]:
            return _holiday(name, midnight(now), year)

        yield from _occurrence(question, match, now, in_year)


def _holiday(name: str, today: datetime, year: int) -> tuple[datetime, datetime]:
    """Good Friday to Easter Monday, 24 to 26 December, 31 December and 1 January."""
    if name == "easter":
        sunday = easter(year)
        day = today.replace(year=year, month=sunday.month, day=sunday.day)
        return day - 2 * _DAY, day + 2 * _DAY
    if name == "halloween":
        day = today.replace(year=year, month=10, day=31)
        return day, day + _DAY
    if name in ("christmas", "xmas"):
        day = today.replace(year=year, month=12, day=24)
        return day, day + 3 * _DAY
    day = today.replace(year=year, month=12, day=31)
    return day, day + 2 * _DAY


def _occurrence(
    question: str,
    match: re.Match[str],
    now: datetime,
    in_year: Callable[[int], tuple[datetime, datetime]],
) -> Iterator[Stretch]:
    lead, tense = match["lead"].lower(), tense_of(question, *match.span())
    years = [in_year(now.year + away) for away in range(-2, 3)]
    if lead == "this":
        chosen = years[2]
    elif lead == "last":
        chosen = [each for each in years if each[1] <= now][-1]
    elif lead == "next":
        chosen = next(each for each in years if each[0] > now)
    elif lead == "since" or tense == "past":
        chosen = [each for each in years if each[0] <= now][-1]
    elif tense == "future" or lead in ("by", "until", "till"):
        chosen = next(each for each in years if each[1] > now)
    else:
        return
    yield Stretch(*match.span(), *chosen)


def find_weekends(question: str, now: datetime) -> Iterator[Stretch]:
    """ "How was the weekend": the last one; "plans for the weekend": the coming one; from its
    Saturday on this one."""
    today = midnight(now)
    for match in _WEEKEND.finditer(question):
        saturday = today - ((today.weekday() - 5) % 7) * _DAY
        ahead = match["for"] and tense_of(question, *match.span()) != "past"
        if ahead and saturday + 2 * _DAY <= today:
            saturday += 7 * _DAY
        yield Stretch(*match.span("it"), saturday, saturday + 2 * _DAY)
