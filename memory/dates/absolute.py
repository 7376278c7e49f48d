"""Dates that name a year, a month or a day of the calendar: "in May 2019", "June 30th"."""

from __future__ import annotations

import re
from datetime import datetime

from memory.dates.periods import a_day, a_month, a_season, a_week, a_weekend, a_year, shifted
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Period, Reading
from memory.dates.words import (
    A_MONTH,
    A_NUMBER,
    A_SEASON,
    CLAUSE_END,
    GOVERNING,
    IS,
    MONTH,
    MONTH_NUMBERS,
    PART,
    SEASON,
    WEEKDAY,
    YEAR,
    is_name,
    one_of,
    pattern,
)

_YEARS_AWAY = {"last": -1, "this": 0, "next": 1}
_AWAY = one_of(_YEARS_AWAY)
_ITS_YEAR = rf",?\s+(?:(?P<year>{YEAR})|(?:of\s+)?(?P<away>{_AWAY})\s+year)\b"
_NTH = "(?:st|nd|rd|th)"
_LEAD = rf"\b(?:(?P<on>on)\s+)?(?:the\s+{PART}\s+of\s+)?(?:{WEEKDAY},?\s+)?(?:the\s+)?"
_DAY_MONTH = rf"(?P<day>[0-9]{{1,2}}){_NTH}?\s+(?:of\s+)?(?P<month>{MONTH})\b"
# After "June 5" comes no counted thing: "in June 5 people came". After "on" that is rarer.
_NOT_COUNTED = (
    rf"(?:{CLAUSE_END}|(?=,?\s+(?:{YEAR}|(?:of\s+)?{_AWAY}\s+year)\b)"
    r"|(?(on)(?!\s+(?!was\b|this\b|has\b|his\b)\w{2,}s\b)"
    r"|(?=\s+(?:at|and|with|for|to|i|we|he|she|it|they|was|is|my|the|from|until|because)\b)))"
)
_MONTH_DAY = (
    rf"(?P<month>{MONTH})\.?\s+(?:the\s+)?(?P<day>[0-9]{{1,2}})(?:{_NTH}\b|\b{_NOT_COUNTED})"
)
_A_BEGINNING = frozenset({"from", "between"})
_COUNTED = r"(?!\s+(?:people|users|steps|met(?:er|re)s|km|words|pages|lines|ms|items|times|%))"


def _month_number(match: re.Match[str]) -> int:
    return MONTH_NUMBERS[match["month"].lower()]


def _dated(match: re.Match[str], scene: Scene, day: int) -> datetime:
    """The day in the year that was said, else in the nearest year that the tense allows."""
    month, this_year = _month_number(match), scene.said_at.year
    if match["year"]:
        return scene.day(int(match["year"]), month, day)
    if match["away"]:
        return scene.day(this_year + _YEARS_AWAY[match["away"].lower()], month, day)
    past = scene.is_past(match)
    it = scene.day(this_year, month, day)
    if (it > scene.today) if past else (it < scene.today):
        it = scene.day(this_year + (-1 if past else 1), month, day)
    return it


def _with_year(match: re.Match[str], scene: Scene, period: Period) -> Reading:
    """A rewritten sentence keeps the words of day and month and gets the year after them."""
    certain = bool(match["year"] or match["away"]) or scene.is_one_event(match)
    core = (match.end("named"), match.end())
    words = f" {shifted(period.ends, 'day', -1).year}"
    return Reading(period, not match["year"], certain, core, words)


def _day(match: re.Match[str], scene: Scene) -> Reading | None:
    if not (match["on"] or match["year"] or is_name(match["month"])):
        return None
    return _with_year(match, scene, a_day(_dated(match, scene, int(match["day"]))))


def _days(match: re.Match[str], scene: Scene) -> Reading | None:
    last = _dated(match, scene, int(match["day"]))
    first = last.replace(day=int(match["first"]))
    if last < first or not (match["year"] or is_name(match["month"])):
        return None
    return _with_year(match, scene, Period(first, shifted(last, "day", 1), "day", "", ""))


def _week_of(match: re.Match[str], scene: Scene) -> Reading:
    day = scene.day(int(match["year"]), _month_number(match), int(match["day"]))
    return Reading((a_weekend if match["end"] else a_week)(day), relative=False)


def _month(match: re.Match[str], scene: Scene) -> Reading:
    return _with_year(match, scene, a_month(_dated(match, scene, 1)))


def _months(match: re.Match[str], scene: Scene) -> Reading:
    last = _dated(match, scene, 1)
    first = last.replace(month=MONTH_NUMBERS[match["first"].lower()])
    if first > last:
        first = shifted(first, "year", -1)
    period = Period(first, shifted(last, "month", 1), "month", "", "")
    return _with_year(match, scene, period)


def _month_alone(match: re.Match[str], scene: Scene) -> Reading | None:
    preposition, month = match["preposition"].lower(), match["month"]
    if month == "MAY" or (preposition not in ("in", "since") and not is_name(month)):
        return None
    past = preposition == "since" or scene.is_past(match)
    it = scene.day(scene.said_at.year, _month_number(match))
    if past and it > scene.today:
        it = shifted(it, "year", -1)
    elif not past and it.month < scene.today.month:
        it = shifted(it, "year", 1)
    certain = preposition == "since" or scene.is_one_event(match)
    period = a_month(it)
    return Reading(period, True, certain, match.span("month"), period.name)


def _season(match: re.Match[str], scene: Scene) -> Reading:
    season = a_season(match["season"].lower(), scene.day(int(match["year"])))
    return Reading(season, relative=False)


def _year(match: re.Match[str], scene: Scene) -> Reading:
    return Reading(a_year(scene.day(int(match["year"]))), relative=False)


def _decade(match: re.Match[str], scene: Scene) -> Reading:
    year = int(match["decade"] or f"19{match['short']}")
    return Reading(a_year(scene.day(year), 10), relative=False)


ABSOLUTE = (
    Rule(
        pattern(
            r"\bthe\s+week(?P<end>end)?\s+(?:of|beginning|starting)\s+(?:the\s+)?"
            rf"{_DAY_MONTH},?\s+(?P<year>{YEAR})\b"
        ),
        _week_of,
        (A_NUMBER, A_MONTH),
    ),
    Rule(
        pattern(
            rf"(?P<named>(?<![\w./-])(?P<first>[0-9]{{1,2}}){_NTH}?(?:\s*[-–—]\s*|\s+(?:to|and)\s+)"
            rf"{_DAY_MONTH})(?:{_ITS_YEAR})?"
        ),
        _days,
        (A_NUMBER, A_MONTH),
    ),
    Rule(pattern(rf"(?P<named>{_LEAD}{_DAY_MONTH})\.?(?:{_ITS_YEAR})?"), _day, (A_NUMBER, A_MONTH)),
    Rule(pattern(rf"(?P<named>{_LEAD}{_MONTH_DAY})(?:{_ITS_YEAR})?"), _day, (A_NUMBER, A_MONTH)),
    Rule(
        pattern(
            rf"(?P<named>\b{one_of(_A_BEGINNING)}\s+(?P<first>{MONTH})\s+"
            rf"(?:to|until|till|through|and)\s+(?P<month>{MONTH})\b)(?:{_ITS_YEAR})?"
        ),
        _months,
        (A_MONTH, _A_BEGINNING),
    ),
    Rule(
        pattern(rf"(?P<named>\b(?P<month>{MONTH})\b)\.?(?:{_ITS_YEAR})"),
        _month,
        (A_MONTH, A_NUMBER | {"year"}),
    ),
    Rule(
        pattern(rf"\b(?P<season>{SEASON})\s+(?:of\s+)?(?P<year>{YEAR})(?:/[0-9]{{2}})?\b"),
        _season,
        (A_SEASON, A_NUMBER),
    ),
    Rule(
        pattern(
            rf"(?:\b{GOVERNING}\s+(?:(?:early|mid|late)[\s-]+)?|\bmid-|(?<!\S)(?={YEAR}(?:{IS})))"
            rf"(?P<year>{YEAR})\b(?![-/:.]?[0-9]){_COUNTED}"
        ),
        _year,
        (A_NUMBER,),
    ),
    Rule(
        pattern(r"\bthe\s+(?:(?P<decade>(?:19|20)[0-9]0)|['’]?(?P<short>[5-9]0))['’]?s\b"),
        _decade,
        (A_NUMBER,),
    ),
)
# Read after all others: "in May last year" and "in May 2019" say more.
MONTHS_ALONE = (
    Rule(
        pattern(
            r"\b(?P<preposition>in|since|until|till|by|(?:start|beginning|middle|end)\s+of)\s+"
            r"(?:(?:early|mid|late)[\s-])?"
            rf"(?P<month>{MONTH})\b(?!['’]|\s+(?:[0-9]|be\b|not\b|have\b))"
        ),
        _month_alone,
        (A_MONTH,),
    ),
)
