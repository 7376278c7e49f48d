"""Dates in digits: "2026-07-01", "12.06.2026", "12/2027"."""

from __future__ import annotations

import re

from memory.dates.periods import a_day, a_month
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Reading
from memory.dates.words import A_NUMBER, YEAR, pattern


def _numbers(match: re.Match[str], scene: Scene) -> Reading:
    day = scene.day(int(match["year"]), int(match["month"]), int(match["day"]))
    return Reading(a_day(day), relative=False)


def _slashes(match: re.Match[str], scene: Scene) -> Reading | None:
    """Day and month in the order that makes sense; None where both orders do."""
    low, high = sorted((int(match["one"]), int(match["two"])))
    if low != high and high <= 12:  # noqa: PLR2004 - months
        return None
    return Reading(a_day(scene.day(int(match["year"]), low, high)), relative=False)


def _month(match: re.Match[str], scene: Scene) -> Reading:
    return Reading(a_month(scene.day(int(match["year"]), int(match["month"]))), relative=False)


NUMERIC = (
    Rule(
        pattern(
            rf"(?<![\w./-])(?P<year>{YEAR})(?P<sep>[-/.])(?P<month>[0-9]{{1,2}})(?P=sep)"
            r"(?P<day>[0-9]{1,2})(?![\w/-])"
        ),
        _numbers,
        (A_NUMBER,),
    ),
    Rule(
        pattern(
            r"(?<![\w./-])(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\."
            rf"(?P<year>{YEAR})(?![\w/-])"
        ),
        _numbers,
        (A_NUMBER,),
    ),
    Rule(
        pattern(rf"(?<![\w./-])(?P<month>0?[1-9]|1[0-2])/(?P<year>{YEAR})(?![\w/-])"),
        _month,
        (A_NUMBER,),
    ),
    Rule(
        pattern(
            rf"(?<![\w./-])(?P<one>[0-9]{{1,2}})/(?P<two>[0-9]{{1,2}})/(?P<year>{YEAR})(?![\w/-])"
        ),
        _slashes,
        (A_NUMBER,),
    ),
)
