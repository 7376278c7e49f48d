"""Dates that name a year, a month or a day: "2026-07-01", "12/2027", "in May 2019", "June 30th"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import datetime

from memory.dates.calendar import (
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
    DateMeaning,
    Period,
    day_period,
    is_calendar_name,
    month_period,
    one_of,
    pattern,
    season_period,
    shift,
    week_period,
    weekend_period,
    year_period,
)
from memory.dates.tense import YEARS_AWAY, DateContext, DateRule


def _numbers(match: re.Match[str], scene: DateContext) -> DateMeaning:
    day = scene.day(int(match["year"]), int(match["month"]), int(match["day"]))
    return DateMeaning(day_period(day), relative=False)


def _slashes(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """Day and month in the order that makes sense; None where both orders do."""
    low, high = sorted((int(match["one"]), int(match["two"])))
    if low != high and high <= 12:  # noqa: PLR2004 - months
        return None
    return DateMeaning(day_period(scene.day(int(match["year"]), low, high)), relative=False)


def _numeric_month(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return DateMeaning(
        month_period(scene.day(int(match["year"]), int(match["month"]))), relative=False
    )


NUMERIC = (
    DateRule(
        pattern(
            rf"(?<![\w./-])(?P<year>{YEAR})(?P<sep>[-/.])(?P<month>[0-9]{{1,2}})(?P=sep)"
            r"(?P<day>[0-9]{1,2})(?![\w/-])"
        ),
        _numbers,
        (A_NUMBER,),
    ),
    DateRule(
        pattern(
            r"(?<![\w./-])(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\."
            rf"(?P<year>{YEAR})(?![\w/-])"
        ),
        _numbers,
        (A_NUMBER,),
    ),
    DateRule(
        pattern(rf"(?<![\w./-])(?P<month>0?[1-9]|1[0-2])/(?P<year>{YEAR})(?![\w/-])"),
        _numeric_month,
        (A_NUMBER,),
    ),
    DateRule(
        pattern(
            rf"(?<![\w./-])(?P<one>[0-9]{{1,2}})/(?P<two>[0-9]{{1,2}})/(?P<year>{YEAR})(?![\w/-])"
        ),
        _slashes,
        (A_NUMBER,),
    ),
)


_AWAY = one_of(YEARS_AWAY)
_ITS_YEAR = rf",?\s+(?:(?P<year>{YEAR})|(?:of\s+)?(?P<away>{_AWAY})\s+year)\b"
# Among them is a leap year, before and after.
_NEAR_YEARS = range(-8, 9)
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


def _dated(match: re.Match[str], scene: DateContext, day: int) -> datetime:
    """The day in the year that was said, also elsewhere in the clause, else in the nearest year
    that the clause allows."""
    month, this_year = _month_number(match), scene.said_at.year
    if match["year"]:
        return scene.day(int(match["year"]), month, day)
    if match["away"]:
        return scene.day(this_year + YEARS_AWAY[match["away"].lower()], month, day)
    if (said := scene.year_beside(match)) is not None:
        return scene.day(said, month, day)
    years = [this_year + away for away in _NEAR_YEARS]
    days = [scene.day(year, month, day) for year in years if day <= monthrange(year, month)[1]]
    return scene.choose(days, scene.direction(match))


def _with_year(match: re.Match[str], scene: DateContext, period: Period) -> DateMeaning:
    """A rewritten sentence keeps the words of day and month and gets the year after them."""
    settled = scene.happens_once if period.grain == "day" else scene.is_one_event
    certain = bool(match["year"] or match["away"]) or settled(match)
    core = (match.end("named"), match.end())
    words = f" {shift(period.ends, 'day', -1).year}"
    return DateMeaning(period, not match["year"], certain, core, words)


def _day(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    if not (match["on"] or match["year"] or is_calendar_name(match["month"])):
        return None
    return _with_year(match, scene, day_period(_dated(match, scene, int(match["day"]))))


def _days(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    last = _dated(match, scene, int(match["day"]))
    first = last.replace(day=int(match["first"]))
    if last < first or not (match["year"] or is_calendar_name(match["month"])):
        return None
    return _with_year(match, scene, Period(first, shift(last, "day", 1), "day", "", ""))


def _week_of(match: re.Match[str], scene: DateContext) -> DateMeaning:
    day = scene.day(int(match["year"]), _month_number(match), int(match["day"]))
    return DateMeaning((weekend_period if match["end"] else week_period)(day), relative=False)


def _month(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return _with_year(match, scene, month_period(_dated(match, scene, 1)))


def _months(match: re.Match[str], scene: DateContext) -> DateMeaning:
    last = _dated(match, scene, 1)
    first = last.replace(month=MONTH_NUMBERS[match["first"].lower()])
    if first > last:
        first = shift(first, "year", -1)
    period = Period(first, shift(last, "month", 1), "month", "", "")
    return _with_year(match, scene, period)


def _month_alone(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    preposition, month = match["preposition"].lower(), match["month"]
    if month == "MAY" or (preposition not in ("in", "since") and not is_calendar_name(month)):
        return None
    anybody = preposition in _LEADS_TO_ANYBODY and month.lower() in _GIVEN_NAMES
    if anybody and not scene.is_moved(match):
        return None
    this = scene.day(scene.said_at.year, _month_number(match))
    months = [shift(this, "year", away) for away in (-1, 0, 1)]
    direction = scene.direction(match, "month")
    it = DateContext(scene.text, scene.today.replace(day=1)).choose(months, direction)
    certain = preposition == "since" or scene.is_one_event(match)
    period = month_period(it)
    return DateMeaning(period, True, certain, match.span("month"), period.name)


def _season(match: re.Match[str], scene: DateContext) -> DateMeaning:
    season = season_period(match["season"].lower(), scene.day(int(match["year"])))
    return DateMeaning(season, relative=False)


def _year(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return DateMeaning(year_period(scene.day(int(match["year"]))), relative=False)


def _decade(match: re.Match[str], scene: DateContext) -> DateMeaning:
    year = int(match["decade"] or f"19{match['short']}")
    return DateMeaning(year_period(scene.day(year), 10), relative=False)


# Before these four they may lead to a person: "a letter for June".
_LEADS_TO_ANYBODY = frozenset({"to", "for", "from", "before", "after"})
_GIVEN_NAMES = frozenset({"april", "may", "june", "august"})
ABSOLUTE = (
    DateRule(
        pattern(
            r"\bthe\s+week(?P<end>end)?\s+(?:of|beginning|starting)\s+(?:the\s+)?"
            rf"{_DAY_MONTH},?\s+(?P<year>{YEAR})\b"
        ),
        _week_of,
        (A_NUMBER, A_MONTH),
    ),
    DateRule(
        pattern(
            rf"(?P<named>(?<![\w./-])(?P<first>[0-9]{{1,2}}){_NTH}?(?:\s*[-–—]\s*|\s+(?:to|and)\s+)"
            rf"{_DAY_MONTH})(?:{_ITS_YEAR})?"
        ),
        _days,
        (A_NUMBER, A_MONTH),
    ),
    DateRule(
        pattern(rf"(?P<named>{_LEAD}{_DAY_MONTH})\.?(?:{_ITS_YEAR})?"), _day, (A_NUMBER, A_MONTH)
    ),
    DateRule(
        pattern(rf"(?P<named>{_LEAD}{_MONTH_DAY})(?:{_ITS_YEAR})?"), _day, (A_NUMBER, A_MONTH)
    ),
    DateRule(
        pattern(
            rf"(?P<named>\b{one_of(_A_BEGINNING)}\s+(?P<first>{MONTH})\s+"
            rf"(?:to|until|till|through|and)\s+(?P<month>{MONTH})\b)(?:{_ITS_YEAR})?"
        ),
        _months,
        (A_MONTH, _A_BEGINNING),
    ),
    DateRule(
        pattern(rf"(?P<named>\b(?P<month>{MONTH})\b)\.?(?:{_ITS_YEAR})"),
        _month,
        (A_MONTH, A_NUMBER | {"year"}),
    ),
    DateRule(
        pattern(rf"\b(?P<season>{SEASON})\s+(?:of\s+)?(?P<year>{YEAR})(?:/[0-9]{{2}})?\b"),
        _season,
        (A_SEASON, A_NUMBER),
    ),
    DateRule(
        pattern(
            rf"(?:\b{GOVERNING}\s+(?:(?:early|mid|late)[\s-]+)?|\bmid-|(?<!\S)(?={YEAR}(?:{IS})))"
            rf"(?P<year>{YEAR})\b(?![-/:.]?[0-9]){_COUNTED}"
        ),
        _year,
        (A_NUMBER,),
    ),
    DateRule(
        pattern(r"\bthe\s+(?:(?P<decade>(?:19|20)[0-9]0)|['’]?(?P<short>[5-9]0))['’]?s\b"),
        _decade,
        (A_NUMBER,),
    ),
)
# Read after all others: "in May last year" and "in May 2019" say more.
MONTHS_ALONE = (
    DateRule(
        pattern(
            rf"\b(?P<preposition>in|since|until|till|by|{one_of(_LEADS_TO_ANYBODY)}"
            r"|(?:start|beginning|middle|end)\s+of)\s+"
            r"(?:(?:early|mid|late)[\s-])?"
            rf"(?P<month>{MONTH})\b(?!['’]|\s+(?:[0-9]|be\b|not\b|have\b))"
        ),
        _month_alone,
        (A_MONTH,),
    ),
)
