"""Days of the week and of the month: "last Friday", "on Monday", "on the 3rd"."""

from __future__ import annotations

import re
from datetime import datetime

from memory.dates.periods import a_day, a_month, a_weekend, shifted
from memory.dates.relative import STEP, step_of
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Reading
from memory.dates.words import (
    A_MONTH,
    A_NUMBER,
    A_WEEKDAY,
    CLAUSE_END,
    MONTH,
    MONTH_NUMBERS,
    PART,
    WEEKDAY,
    WEEKDAY_NUMBERS,
    is_name,
    pattern,
)

_PART = rf"(?:\s+(?P<part>{PART})\b)?"
_DAY = rf"(?P<weekday>{WEEKDAY})\b"
# Before a weekday without "on", these say that it is a kind of day and not one of them.
_A_KIND = pattern(
    r"\b(?:a|an|the|my|our|your|his|her|their|no|good|black|casual|easter|holy|first|second|third"
    r"|fourth|and|or|like|likes|love|loves|hate|hates|prefer|enjoy|called|named|than|of|freaky)\s+$"
)
_IS_A_KIND = pattern(r"\b(?:favou?rite|best|worst|busiest|weekday|day|called|name)\b.*\bis\s+$")
_GOES_ON = pattern(
    rf"{CLAUSE_END}|\s+(?:at|around|because|so|when|i|i['’]\w+|we|he|she|they|it|morning|afternoon"
    r"|evening|night)\b"
)
_PLURAL = pattern(
    r"\s+(?:meetings|mornings|afternoons|evenings|nights|classes|sessions|calls|stand-?ups|shifts)\b"
)
_ANOTHER = pattern(rf"\s*(?:,|&|\b(?:and|or|to)\b)\s*(?:on\s+)?{WEEKDAY}\b")
_ONE_BEFORE = pattern(rf"\b{WEEKDAY}\s*(?:,|&|\b(?:and|or))\s*(?:on\s+)?$")


def _number(match: re.Match[str]) -> int:
    return WEEKDAY_NUMBERS[match["weekday"].lower()]


def _in_week(scene: Scene, weekday: int, weeks: int) -> datetime:
    return shifted(scene.today, "day", weekday - scene.today.weekday() + 7 * weeks)


def _before(scene: Scene, weekday: int) -> datetime:
    """The last such day before today."""
    return shifted(scene.today, "day", -((scene.today.weekday() - weekday - 1) % 7 + 1))


def _after(scene: Scene, weekday: int) -> datetime:
    """The first such day after today."""
    return shifted(scene.today, "day", (weekday - scene.today.weekday() - 1) % 7 + 1)


def _stepped(match: re.Match[str], scene: Scene) -> Reading:
    """Last: the latest before today. Next: that of next week. This: the coming one or today.

    "Next Friday" said on a Monday is eleven days away, and "this Friday" four.
    """
    words, weekday = match["step"].lower().split(), _number(match)
    if "coming" in words:
        day = _after(scene, weekday)
    elif "last" in words or "past" in words:
        day = _before(scene, weekday)
    elif "next" in words:
        day = _in_week(scene, weekday, 1)
    else:
        day = _in_week(scene, weekday, 0)
        if day < scene.today and not scene.is_past(match):
            day = shifted(day, "week", 1)
    return Reading(a_day(day, match["part"]))


def _of_week(match: re.Match[str], scene: Scene) -> Reading:
    """ "Monday last week", "next week on Tuesday"."""
    return Reading(a_day(_in_week(scene, _number(match), step_of(match["step"]))))


def _month(match: re.Match[str], scene: Scene) -> Reading | None:
    """Last: the latest that is over. Next: the first that is still to begin."""
    step = step_of(match["step"])
    if step == 0 and not is_name(match["month"]):
        return None
    this = scene.day(scene.said_at.year, MONTH_NUMBERS[match["month"].lower()])
    if step < 0 and a_month(this).ends > scene.today:
        this = shifted(this, "year", -1)
    elif step > 0 and this <= scene.today:
        this = shifted(this, "year", 1)
    return Reading(a_month(this))


def _weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """The past tense: the last such day. Else the coming one; None where it is a habit."""
    preposition = (match["preposition"] or "").lower()
    past = preposition == "since" or scene.is_past(match)
    if not is_name(match["weekday"]) or _is_habit(match, scene, past):
        return None
    if not preposition and not _stands_alone(match, scene):
        return None
    ahead = preposition in ("for", "to") or not past
    day = a_day((_after if ahead else _before)(scene, _number(match)), match["part"])
    if preposition in ("", "on"):
        return Reading(day)
    return Reading(day, True, True, (match.end("preposition"), match.end()), f" {day.name}")


def _is_habit(match: re.Match[str], scene: Scene, past: bool) -> bool:
    if _PLURAL.match(scene.text, match.end()) or scene.says_always(match):
        return True
    several = _ANOTHER.match(scene.text, match.end()) or scene.follows(match, _ONE_BEFORE)
    return bool(several) and not past


def _stands_alone(match: re.Match[str], scene: Scene) -> bool:
    """Whether a weekday without a preposition is a date: "see you Friday", not "a Friday"."""
    if scene.follows(match, _ONE_BEFORE):
        return True
    if scene.follows(match, _A_KIND) or scene.follows(match, _IS_A_KIND):
        return False
    return bool(match["part"] or _GOES_ON.match(scene.text, match.end()))


def _day_of_month(match: re.Match[str], scene: Scene) -> Reading | None:
    """The nearest such day that the tense allows; None for a habit or no such day."""
    if scene.says_always(match):
        return None
    day = scene.today.replace(day=int(match["day"]))
    if scene.is_past(match):
        return Reading(a_day(day if day <= scene.today else shifted(day, "month", -1)))
    return Reading(a_day(day if day >= scene.today else shifted(day, "month", 1)))


def _weekend(match: re.Match[str], scene: Scene) -> Reading | None:
    """The past tense: the last one. The future: the coming one. Else it is any weekend."""
    tense = scene.tense(match)
    if tense not in ("past", "future") or scene.says_always(match):
        return None
    away = -1 if tense == "past" and scene.today.weekday() < 5 else 0  # noqa: PLR2004 - Saturday
    return Reading(a_weekend(shifted(scene.today, "week", away)))


# Read before all others, since "last week" is a date of its own.
DAYS_OF_A_WEEK = (
    Rule(
        pattern(rf"\b(?:on\s+)?{_DAY}\s+(?:of\s+)?(?P<step>last|this|next)\s+week\b"),
        _of_week,
        (A_WEEKDAY, frozenset({"week"})),
    ),
    Rule(
        pattern(rf"\b(?P<step>last|this|next)\s+week,?\s+(?:on\s+)?{_DAY}"),
        _of_week,
        (A_WEEKDAY, frozenset({"week"})),
    ),
)
WEEKDAYS = (
    Rule(pattern(rf"\b(?:on\s+)?{STEP}\s+{_DAY}{_PART}(?!\s+of\b)"), _stepped, (A_WEEKDAY,)),
    Rule(
        pattern(rf"\b{STEP}\s+(?P<month>{MONTH})\b(?!['’]|\s+(?:be|not|have)\b)"),
        _month,
        (A_MONTH,),
    ),
    Rule(
        pattern(
            r"\b(?:(?P<preposition>on|since|until|till|by|before|after|for|to|from)\s+)?"
            rf"{_DAY}(?!['’]){_PART}"
        ),
        _weekday,
        (A_WEEKDAY,),
    ),
    Rule(
        pattern(
            rf"\bon\s+the\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)\b"
            rf"(?:{CLAUSE_END}|(?=\s+(?:at|and|i|we|for|with)\b))"
        ),
        _day_of_month,
        (A_NUMBER,),
    ),
    Rule(
        pattern(r"\b(?:over|at|on|during)\s+the\s+weekend\b(?!\s+of\b)"),
        _weekend,
        (frozenset({"weekend"}),),
    ),
)
