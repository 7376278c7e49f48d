"""Finding the dates of a text: rules in order, the first to claim a span keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from memory.dates.absolute import ABSOLUTE, MONTHS_ALONE
from memory.dates.clock import with_clock
from memory.dates.counted import COUNTED
from memory.dates.languages import LANGUAGES
from memory.dates.numeric import NUMERIC
from memory.dates.relative import RELATIVE
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Found, SpokenDate
from memory.dates.weekdays import DAYS_OF_A_WEEK, WEEKDAYS
from memory.dates.words import MONTH, SEASON, WEEKDAY, pattern, words_in

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
    # What was dated before: "lundi prochain (2026-11-30)".
    pattern(r"(?<!\S)(?:\S+\s+){1,4}(?=\([0-9]{4}[-) ])"),
)
# First what needs the most words, so that "3 March last year" is not read as "last year".
RULES = (
    *DAYS_OF_A_WEEK,
    *NUMERIC,
    *LANGUAGES,
    *ABSOLUTE,
    *COUNTED,
    *RELATIVE,
    *WEEKDAYS,
    *MONTHS_ALONE,
)
_YEARS = range(1900, 2100)  # those that are recognised when they are written out
_QUOTES = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»", "*": "*", "_": "_"}


def find_dates(text: str, said_at: datetime) -> list[SpokenDate]:
    """The dates of a text in their order, read at `said_at`, in its own offset.

    Habits ("every Friday", "on Mondays"), durations ("for two years") and ordinary words
    ("may", "march", "second", "now") are none. A month alone counts after in, since, until, by,
    last, next and this. Dates without a year or a week are read by the tense of their clause:
    after a past verb the last one, else the coming one. Years from 1900 to 2099.
    """
    return [found.spoken for found in find(text, said_at)]


def find(text: str, said_at: datetime, *, ahead: bool = False) -> list[Found]:
    """The same with what a rewritten sentence needs; `ahead` as in Scene."""
    taken = bytearray(len(text))
    for match in _no_dates(text):
        _take(taken, *match.span())
    scene, words = Scene(text, said_at, ahead), words_in(text)
    dates: list[Found] = []
    for rule in RULES:
        for found in _read(rule, scene) if rule.may_match(words) else ():
            if not any(taken[found.spoken.start : found.spoken.end]):
                _take(taken, found.spoken.start, found.spoken.end)
                dates.append(found)
    return with_clock(text, sorted(dates, key=lambda found: found.spoken.start))


def _take(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\1" * (end - start)


def _no_dates(text: str) -> Iterator[re.Match[str]]:
    for words in _NO_DATES:
        yield from words.finditer(text)


def _read(rule: Rule, scene: Scene) -> Iterator[Found]:
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
            yield Found(spoken, reading, reading.core or match.span())


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """A title, not a date: the song "Yesterday"."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before in _QUOTES and after == _QUOTES[before]
