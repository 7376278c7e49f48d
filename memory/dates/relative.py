"""Dates that are named from the moment of speaking: "yesterday", "last month", "next summer"."""

from __future__ import annotations

import re
from datetime import datetime

from memory.dates.periods import a_day, a_season, period_of, shifted
from memory.dates.scene import Rule, Scene
from memory.dates.spoken import Reading
from memory.dates.words import A_SEASON, PART, SEASON, one_of, pattern

_BY_THE = pattern(r"\b(?:by|until|till|before)\s+the\s+$")
_DAYS_AWAY = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_STEPS = {"last": -1, "this": 0, "next": 1, "coming": 1, "past": -1}
STEP = r"(?P<step>this\s+(?:past|coming)|last|this|next|coming)"
_A_NEIGHBOUR = frozenset({"last", "next"})
_A_DAY_BESIDE = frozenset({"yesterday", "tomorrow"})
_A_SIDE = frozenset({"before", "after"})
_A_PERIOD = frozenset({"week", "month", "year"})
_A_PERIOD_OR_WEEKEND = _A_PERIOD | {"weekend"}


def step_of(words: str) -> int:
    """-1 for "last" and "this past", 1 for "next" and "this coming", 0 for "this"."""
    return _STEPS[words.lower().split()[-1]]


def _day_word(match: re.Match[str], scene: Scene) -> Reading:
    word = match["word"].lower()
    day = a_day(
        _days_later(scene, _DAYS_AWAY[word]), "evening" if word == "tonight" else match["part"]
    )
    certain = word != "today" or bool(match["part"]) or _tells_an_event(match, scene)
    return Reading(day, certain=certain)


def _tells_an_event(match: re.Match[str], scene: Scene) -> bool:
    """Whether "today" dates something that happens, and is not just the present."""
    if re.match(r"['’]s\b|\s+is\b", scene.text[match.end() : match.end() + 4]):
        return True
    return scene.is_one_event(match)


def _part_of_today(match: re.Match[str], scene: Scene) -> Reading:
    return Reading(a_day(scene.today, match["part"].lower()))


def _last_night(_match: re.Match[str], scene: Scene) -> Reading:
    return Reading(a_day(_days_later(scene, -1), "night"))


def _two_steps(match: re.Match[str], scene: Scene) -> Reading:
    """ "The week before last", "the day after tomorrow"."""
    unit, sign = match["unit"].lower(), -1 if match["sign"].lower() == "before" else 1
    if unit in ("day", "night"):
        return Reading(a_day(_days_later(scene, 2 * sign), "night" if unit == "night" else None))
    return Reading(period_of(unit, _steps_later(scene, unit, 2 * sign)))


def _one_step(match: re.Match[str], scene: Scene) -> Reading:
    unit = match["unit"].lower()
    return Reading(period_of(unit, _steps_later(scene, unit, step_of(match["step"]))))


def _this_period(match: re.Match[str], scene: Scene) -> Reading:
    """The end of "the week" is that of this one."""
    period = period_of(match["unit"].lower(), scene.today)
    certain = scene.is_one_event(match) or scene.follows(match, _BY_THE)
    return Reading(period, True, certain, match.span("core"), period.name)


def _season(match: re.Match[str], scene: Scene) -> Reading:
    """Last: the latest that is over. Next: the first of a later year, or still to begin."""
    season, step = match["season"].lower(), step_of(match["step"])
    this = a_season(season, scene.today)
    if season == "winter" and shifted(this.begins, "month", -9) > scene.today:
        this = a_season(season, shifted(scene.today, "year", -1))
    if step < 0 and this.ends > scene.today:
        this = a_season(season, shifted(this.begins, "year", -1))
    elif step > 0 and this.begins <= scene.today:
        this = a_season(season, shifted(this.begins, "year", 1))
    return Reading(this)


def _days_later(scene: Scene, days: int) -> datetime:
    return shifted(scene.today, "day", days)


def _steps_later(scene: Scene, unit: str, steps: int) -> datetime:
    if unit == "weekend":
        return shifted(scene.today, "week", steps)
    if unit in ("month", "year"):
        return shifted(scene.today.replace(day=1), unit, steps)
    return shifted(scene.today, unit, steps)


RELATIVE = (
    Rule(
        pattern(
            rf"\bthe\s+(?P<unit>day)\s+(?P<sign>{one_of(_A_SIDE)})\s+{one_of(_A_DAY_BESIDE)}\b"
        ),
        _two_steps,
        (_A_DAY_BESIDE,),
    ),
    Rule(
        pattern(
            rf"\bthe\s+(?P<unit>{one_of(_A_PERIOD_OR_WEEKEND)}|night)\s+"
            rf"(?P<sign>{one_of(_A_SIDE)})\s+{one_of(_A_NEIGHBOUR)}\b"
        ),
        _two_steps,
        (_A_SIDE, _A_NEIGHBOUR),
    ),
    Rule(
        pattern(rf"\b(?P<word>{one_of(_DAYS_AWAY)})\b(?:\s+(?P<part>{PART})\b)?"),
        _day_word,
        (frozenset(_DAYS_AWAY),),
    ),
    Rule(
        pattern(r"\bthis\s+(?P<part>morning|afternoon|evening)\b"),
        _part_of_today,
        (frozenset({"this"}),),
    ),
    Rule(pattern(r"\blast\s+night\b"), _last_night, (frozenset({"night"}),)),
    Rule(pattern(rf"\b{STEP}\s+(?P<season>{SEASON})\b"), _season, (A_SEASON,)),
    Rule(
        pattern(rf"\b{STEP}\s+(?P<unit>{one_of(_A_PERIOD_OR_WEEKEND)})\b"),
        _one_step,
        (_A_PERIOD_OR_WEEKEND,),
    ),
    Rule(
        pattern(
            r"\b(?:end|start|beginning|middle)\s+of\s+"
            rf"(?P<core>the\s+(?P<unit>{one_of(_A_PERIOD)}))\b(?!\s+of\b)"
        ),
        _this_period,
        (_A_PERIOD, frozenset({"of"})),
    ),
)
