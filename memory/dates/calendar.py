"""Dates and stretches of the calendar as types, what they are called, and the English words of time
as pieces of patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from dateutil.relativedelta import relativedelta

Grain = Literal["minute", "day", "week", "month", "year"]


@dataclass(frozen=True)
class SpokenDate:
    """A date in a text: `text[start:end]` names the time from `begins` up to, without, `ends`.

    `relative` says that the words name another time when read at another moment, which is
    also true of "in May" and "3 March" without a year. A stretch can be longer than its grain:
    a season is three months, a weekend two days. A part of a day ("last night") counts as the
    day it began on.
    """

    start: int
    end: int
    begins: datetime
    ends: datetime
    grain: Grain
    relative: bool


@dataclass(frozen=True)
class Period:
    """A stretch of time, and the words that name it for ever: "on" + "12 June 2026"."""

    begins: datetime
    ends: datetime
    grain: Grain
    name: str
    preposition: str


@dataclass(frozen=True)
class DateMeaning:
    """What matched words mean. Where not `certain`, they may mean a habit or any year.

    A rewritten sentence has the period's preposition and name in the place of the match, or
    `words` in the place of `core` where those are given.
    """

    period: Period
    relative: bool = True
    certain: bool = True
    core: tuple[int, int] | None = None
    words: str | None = None


@dataclass(frozen=True)
class FoundDate:
    """A date, and what a rewritten sentence replaces: `text[core]` by preposition and name."""

    spoken: SpokenDate
    reading: DateMeaning
    core: tuple[int, int]


MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAY = timedelta(days=1)
# The first month of a season on the northern half of the earth.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


_DELTAS: Mapping[str, Callable[[int], relativedelta]] = {
    "minute": lambda count: relativedelta(minutes=count),
    "hour": lambda count: relativedelta(hours=count),
    "day": lambda count: relativedelta(days=count),
    "week": lambda count: relativedelta(weeks=count),
    "month": lambda count: relativedelta(months=count),
    "year": lambda count: relativedelta(years=count),
}


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """`count` units later; the 31st becomes the last day of a shorter month."""
    if unit == "fortnight":
        unit, count = "week", 2 * count
    elif unit == "decade":
        unit, count = "year", 10 * count
    return moment + _DELTAS[unit](count)


def format_day(day: datetime) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def minute_period(moment: datetime) -> Period:
    begins = moment.replace(second=0, microsecond=0)
    name = f"{format_day(begins)} at {begins:%H:%M}"
    return Period(begins, begins + timedelta(minutes=1), "minute", name, "on")


def day_period(moment: datetime, part: str | None = None) -> Period:
    begins = midnight(moment)
    name = f"the {part} of {format_day(begins)}" if part else format_day(begins)
    return Period(begins, begins + _DAY, "day", name, "on")


def week_period(moment: datetime) -> Period:
    """From Monday to Sunday."""
    begins = midnight(moment) - moment.weekday() * _DAY
    return Period(begins, begins + 7 * _DAY, "week", f"the week of {format_day(begins)}", "in")


def weekend_period(moment: datetime) -> Period:
    """Saturday and Sunday of the week."""
    begins = midnight(moment) + (5 - moment.weekday()) * _DAY
    return Period(begins, begins + 2 * _DAY, "day", f"the weekend of {format_day(begins)}", "on")


def month_period(moment: datetime) -> Period:
    begins = midnight(moment).replace(day=1)
    name = f"{MONTHS[begins.month - 1]} {begins.year}"
    return Period(begins, shift(begins, "month", 1), "month", name, "in")


def season_period(season: str, moment: datetime) -> Period:
    """The one that begins in the year of `moment`; the winter of 2025 ends in 2026."""
    begins = midnight(moment).replace(month=SEASONS[season], day=1)
    name = f"{season} {begins.year}"
    if season == "winter":
        name += f"/{(begins.year + 1) % 100:02}"
    return Period(begins, shift(begins, "month", 3), "month", name, "in")


def year_period(moment: datetime, count: int = 1) -> Period:
    begins = midnight(moment).replace(month=1, day=1)
    return Period(begins, shift(begins, "year", count), "year", str(begins.year), "in")


def period_of(unit: str, moment: datetime) -> Period:
    """The calendar's minute, day, week, weekend, month or year that holds `moment`."""
    makers = {
        "minute": minute_period,
        "hour": minute_period,
        "weekend": weekend_period,
        "week": week_period,
    }
    makers |= {"month": month_period, "year": year_period, "decade": year_period}
    return makers.get(unit, day_period)(moment)


MONTH_NUMBERS = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
MONTH_NUMBERS |= {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
MONTH_NUMBERS["sept"] = 9
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_NUMBERS = {name: number for number, name in enumerate(_WEEKDAYS)}
# Neither "Sat" nor "Sun" is a short form here: both are ordinary words.
WEEKDAY_NUMBERS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3}
WEEKDAY_NUMBERS["fri"] = 4
# Ordinary words too, so that only the spelling of a name counts where nothing else tells.
NOT_ONLY_DATES = frozenset({"may", "march", "mar", "august", "mon", "wed", "jan", "dec", "sept"})

_NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS, start=1)}
NUMBERS |= {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50, "ninety": 90}
# How much a vague word counts for; what is read from it is only said to be around then.
VAGUE_NUMBERS = {"couple": 2, "few": 3, "several": 3}


def one_of(words: Iterable[str]) -> str:
    """A group of alternatives, the longest first."""
    return f"(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})"


A_MONTH = frozenset(MONTH_NUMBERS)
A_WEEKDAY = frozenset(WEEKDAY_NUMBERS)
A_SEASON = frozenset(SEASONS)
A_NUMBER = frozenset({"0"})
A_LONG_UNIT = frozenset({"day", "week", "fortnight", "month", "year", "decade"})
A_UNIT = A_LONG_UNIT | {"minute", "hour"}
MONTH = one_of(A_MONTH)
WEEKDAY = one_of(A_WEEKDAY)
SEASON = one_of(A_SEASON)
LONG_UNIT = one_of(A_LONG_UNIT)
UNIT = one_of(A_UNIT)
PART = "(?:morning|afternoon|evening|night)"
YEAR = "(?:(?:19|20)[0-9]{2})"
NUMBER = rf"(?:[0-9]{{1,3}}|(?:a\s+)?(?:couple|few)(?:\s+of)?|several|{one_of(NUMBERS)})"
# After one of these a date needs no other preposition: "since last Friday", "by 2030".
GOVERNING = (
    r"(?:in|since|until|till|by|before|after|from|for|of|to|through|between|around|about|circa"
    r"|during|within|over|starting|beginning)"
)
IS = r"\s+(?:is|was|will|has|isn['’]t|wasn['’]t|would)\b|['’]s\s+(?:a|the|my|our|been|not)\b"
CLAUSE_END = r"(?=\s*(?:[.,;:!?)]|$))"


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# Letters that a pattern takes for others where case does not matter.
_TAKEN_FOR = str.maketrans({"ſ": "s", "İ": "i", "ı": "i", "\N{KELVIN SIGN}": "k"})
_WORD = re.compile(r"[a-z]+")
_DIGIT = re.compile(r"[0-9]")


def vocabulary_of(text: str) -> frozenset[str]:
    """The words of a text in small letters, and "0" where it has any digit."""
    words = _WORD.findall(text.translate(_TAKEN_FOR).lower())
    return frozenset(words) | A_NUMBER if _DIGIT.search(text) else frozenset(words)


def parse_count(words: str) -> tuple[int, bool]:
    """How many, and whether that is only about so many."""
    for word in words.lower().split():
        if word in VAGUE_NUMBERS:
            return VAGUE_NUMBERS[word], True
    return (int(words), False) if words.isdigit() else (NUMBERS[words.lower()], False)


def is_calendar_name(word: str) -> bool:
    """Whether the word can only be a name of the calendar as it is spelt: "May", not "may"."""
    return word.lower() not in NOT_ONLY_DATES or word.istitle()
