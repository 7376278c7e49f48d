"""Dates that are so many days, weeks or years away: "three days ago", "in the last two weeks"."""

from __future__ import annotations

import re

from memory.dates.periods import a_day, day_name, period_of, shifted
from memory.dates.relative import step_of
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Grain, Period, Reading
from memory.dates.words import A_UNIT, LONG_UNIT, NUMBER, UNIT, number_of, one_of, pattern

_GRAINS: dict[str, Grain] = {"week": "week", "month": "month", "year": "year"}
# "2 or 3 weeks", "about a year": near that time, not on the day.
_ABOUT = r"(?:about|around|roughly|almost|nearly|over|more\s+than|some|approximately)"
_COUNT = (
    rf"(?<![\w.,/$€£-])(?<!half\s)(?:(?P<about>{_ABOUT})\s+)?"
    rf"(?:(?P<range>{NUMBER})(?:\s*[-–]\s*|\s+(?:or|to)\s+))?(?P<count>{NUMBER})\s+(?P<unit>{UNIT})s?"
)
_NOT_YET = pattern(r"\b(?:have|has|had)(?:n['’]t|\s+not|\s+never)\b[^.!?,]*$")
_IS = pattern(r"(?:\b(?:is|are|am)|['’](?:s|re|m))\s*$")
_A_DIRECTION = frozenset({"last", "past", "next", "coming"})
_THE_PRESENT = frozenset({"now", "today"})
_UNIT_OR_UNITS = A_UNIT | {f"{unit}s" for unit in A_UNIT}


def _around(period: Period) -> Period:
    return Period(period.begins, period.ends, period.grain, period.name, "around")


def _away(match: re.Match[str], scene: Scene, sign: int) -> Reading:
    count, vague = number_of(match["count"])
    unit = match["unit"].lower()
    moment = shifted(scene.said_at, unit, sign * count)
    # "In two weeks" is a day, as it is in speech; a month or a year later is not.
    period = a_day(moment) if unit in ("week", "fortnight") else period_of(unit, moment)
    return Reading(_around(period) if vague or match["about"] or match["range"] else period)


def _ago(match: re.Match[str], scene: Scene) -> Reading:
    return _away(match, scene, -1)


def _from_now(match: re.Match[str], scene: Scene) -> Reading:
    return _away(match, scene, 1)


def _in_a_while(match: re.Match[str], scene: Scene) -> Reading | None:
    """None where it is how long something takes: "I run 10 km in 50 minutes"."""
    tense = scene.tense(match)
    if tense == "past" or scene.says_always(match) or scene.follows(match, _NOT_YET):
        return None
    short = match["unit"].lower() in ("minute", "hour") or match["count"].lower() in ("a", "an")
    if short and tense != "future" and not scene.follows(match, _IS):
        return None
    return _away(match, scene, 1)


def _stretch(match: re.Match[str], scene: Scene) -> Reading:
    """The last or next so many days, weeks, months or years, with today at its end."""
    count, _ = number_of(match["count"] or "one")
    unit = match["unit"].lower()
    back = step_of(match["step"]) < 0
    other = shifted(scene.today, unit, -count if back else count)
    begins, last = sorted((other, scene.today))
    ends = shifted(last, "day", 1)
    names = [
        str(day.year) if unit in ("year", "decade") else day_name(day) for day in (begins, last)
    ]
    grain = _GRAINS.get(unit, "year" if unit == "decade" else "day")
    if back and match["preposition"].lower() == "for":
        return Reading(Period(begins, ends, grain, names[0], "since"))
    return Reading(Period(begins, ends, grain, " and ".join(names), "between"))


COUNTED = (
    Rule(
        pattern(
            r"\b(?P<preposition>in|over|during|within|for|throughout)\s+the\s+"
            rf"(?P<step>{one_of(_A_DIRECTION)})\s+(?:(?P<count>{NUMBER})\s+)?"
            rf"(?P<unit>{LONG_UNIT})s?\b"
        ),
        _stretch,
        (_A_DIRECTION,),
    ),
    Rule(pattern(rf"{_COUNT}\s+ago\b"), _ago, (frozenset({"ago"}),)),
    Rule(
        pattern(rf"\bin\s+{_COUNT}\b(?:['’]?s?['’]?\s+time\b)?(?!\s+of\b)"),
        _in_a_while,
        (frozenset({"in"}), _UNIT_OR_UNITS),
    ),
    Rule(pattern(rf"{_COUNT}\s+from\s+{one_of(_THE_PRESENT)}\b"), _from_now, (_THE_PRESENT,)),
)
