"""Dates that are told from the moment of speaking: "yesterday", "three days ago", "on Monday"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import datetime

from memory.dates.calendar import (
    A_MONTH,
    A_NUMBER,
    A_SEASON,
    A_UNIT,
    A_WEEKDAY,
    CLAUSE_END,
    LONG_UNIT,
    MONTH,
    MONTH_NUMBERS,
    NUMBER,
    PART,
    SEASON,
    UNIT,
    WEEKDAY,
    WEEKDAY_NUMBERS,
    DateMeaning,
    Grain,
    Period,
    day_period,
    format_day,
    is_calendar_name,
    month_period,
    one_of,
    parse_count,
    pattern,
    period_of,
    season_period,
    shift,
    weekend_period,
)
from memory.dates.tense import DateContext, DateRule

_BY_THE = pattern(r"\b(?:by|until|till|before)\s+the\s+$")
_DAYS_AWAY = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_STEPS = {"last": -1, "this": 0, "next": 1, "coming": 1, "past": -1}
STEP = r"(?P<step>this\s+(?:past|coming)|last|this|next|coming)"
_A_NEIGHBOUR = frozenset({"last", "next"})
_A_DAY_BESIDE = frozenset({"yesterday", "tomorrow"})
_A_SIDE = frozenset({"before", "after"})
_A_PERIOD = frozenset({"week", "month", "year"})
_A_PERIOD_OR_WEEKEND = _A_PERIOD | {"weekend"}


def step_direction(words: str) -> int:
    """-1 for "last" and "this past", 1 for "next" and "this coming", 0 for "this"."""
    return _STEPS[words.lower().split()[-1]]


def _day_word(match: re.Match[str], scene: DateContext) -> DateMeaning:
    word = match["word"].lower()
    day = day_period(
        _days_later(scene, _DAYS_AWAY[word]), "evening" if word == "tonight" else match["part"]
    )
    certain = word != "today" or bool(match["part"]) or _tells_an_event(match, scene)
    return DateMeaning(day, certain=certain)


def _tells_an_event(match: re.Match[str], scene: DateContext) -> bool:
    """Whether "today" dates something that happens, and is not just the present."""
    if re.match(r"['’]s\b|\s+is\b", scene.text[match.end() : match.end() + 4]):
        return True
    return scene.is_one_event(match)


def _part_of_today(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return DateMeaning(day_period(scene.today, match["part"].lower()))


def _last_night(_match: re.Match[str], scene: DateContext) -> DateMeaning:
    return DateMeaning(day_period(_days_later(scene, -1), "night"))


def _two_steps(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """ "The week before last", "the day after tomorrow"."""
    unit, sign = match["unit"].lower(), -1 if match["sign"].lower() == "before" else 1
    if unit in ("day", "night"):
        return DateMeaning(
            day_period(_days_later(scene, 2 * sign), "night" if unit == "night" else None)
        )
    return DateMeaning(period_of(unit, _steps_later(scene, unit, 2 * sign)))


def _one_step(match: re.Match[str], scene: DateContext) -> DateMeaning:
    unit = match["unit"].lower()
    return DateMeaning(period_of(unit, _steps_later(scene, unit, step_direction(match["step"]))))


def _this_period(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """The end of "the week" is that of this one."""
    period = period_of(match["unit"].lower(), scene.today)
    certain = scene.is_one_event(match) or scene.follows(match, _BY_THE)
    return DateMeaning(period, True, certain, match.span("core"), period.name)


def _season(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """Last: the latest that is over. Next: the first of a later year, or still to begin."""
    season, step = match["season"].lower(), step_direction(match["step"])
    this = season_period(season, scene.today)
    if season == "winter" and shift(this.begins, "month", -9) > scene.today:
        this = season_period(season, shift(scene.today, "year", -1))
    if step < 0 and this.ends > scene.today:
        this = season_period(season, shift(this.begins, "year", -1))
    elif step > 0 and this.begins <= scene.today:
        this = season_period(season, shift(this.begins, "year", 1))
    return DateMeaning(this)


def _days_later(scene: DateContext, days: int) -> datetime:
    return shift(scene.today, "day", days)


def _steps_later(scene: DateContext, unit: str, steps: int) -> datetime:
    if unit == "weekend":
        return shift(scene.today, "week", steps)
    if unit in ("month", "year"):
        return shift(scene.today.replace(day=1), unit, steps)
    return shift(scene.today, unit, steps)


RELATIVE = (
    DateRule(
        pattern(
            rf"\bthe\s+(?P<unit>day)\s+(?P<sign>{one_of(_A_SIDE)})\s+{one_of(_A_DAY_BESIDE)}\b"
        ),
        _two_steps,
        (_A_DAY_BESIDE,),
    ),
    DateRule(
        pattern(
            rf"\bthe\s+(?P<unit>{one_of(_A_PERIOD_OR_WEEKEND)}|night)\s+"
            rf"(?P<sign>{one_of(_A_SIDE)})\s+{one_of(_A_NEIGHBOUR)}\b"
        ),
        _two_steps,
        (_A_SIDE, _A_NEIGHBOUR),
    ),
    DateRule(
        pattern(rf"\b(?P<word>{one_of(_DAYS_AWAY)})\b(?:\s+(?P<part>{PART})\b)?"),
        _day_word,
        (frozenset(_DAYS_AWAY),),
    ),
    DateRule(
        pattern(r"\bthis\s+(?P<part>morning|afternoon|evening)\b"),
        _part_of_today,
        (frozenset({"this"}),),
    ),
    DateRule(pattern(r"\blast\s+night\b"), _last_night, (frozenset({"night"}),)),
    DateRule(pattern(rf"\b{STEP}\s+(?P<season>{SEASON})\b"), _season, (A_SEASON,)),
    DateRule(
        pattern(rf"\b{STEP}\s+(?P<unit>{one_of(_A_PERIOD_OR_WEEKEND)})\b"),
        _one_step,
        (_A_PERIOD_OR_WEEKEND,),
    ),
    DateRule(
        pattern(
            r"\b(?:end|start|beginning|middle)\s+of\s+"
            rf"(?P<core>the\s+(?P<unit>{one_of(_A_PERIOD)}))\b(?!\s+of\b)"
        ),
        _this_period,
        (_A_PERIOD, frozenset({"of"})),
    ),
)


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


def _away(match: re.Match[str], scene: DateContext, sign: int) -> DateMeaning:
    count, vague = parse_count(match["count"])
    unit = match["unit"].lower()
    moment = shift(scene.said_at, unit, sign * count)
    # "In two weeks" is a day, as it is in speech; a month or a year later is not.
    period = day_period(moment) if unit in ("week", "fortnight") else period_of(unit, moment)
    return DateMeaning(_around(period) if vague or match["about"] or match["range"] else period)


def _ago(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return _away(match, scene, -1)


def _from_now(match: re.Match[str], scene: DateContext) -> DateMeaning:
    return _away(match, scene, 1)


def _in_a_while(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """None where it is how long something takes: "I run 10 km in 50 minutes"."""
    done = scene.direction(match) == "back"
    if done or scene.says_always(match) or scene.follows(match, _NOT_YET):
        return None
    short = match["unit"].lower() in ("minute", "hour") or match["count"].lower() in ("a", "an")
    if short and scene.tense(match) != "future" and not scene.follows(match, _IS):
        return None
    return _away(match, scene, 1)


def _stretch(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """The last or next so many days, weeks, months or years, with today at its end."""
    count, _ = parse_count(match["count"] or "one")
    unit = match["unit"].lower()
    back = step_direction(match["step"]) < 0
    other = shift(scene.today, unit, -count if back else count)
    begins, last = sorted((other, scene.today))
    ends = shift(last, "day", 1)
    names = [
        str(day.year) if unit in ("year", "decade") else format_day(day) for day in (begins, last)
    ]
    grain = _GRAINS.get(unit, "year" if unit == "decade" else "day")
    if back and match["preposition"].lower() == "for":
        return DateMeaning(Period(begins, ends, grain, names[0], "since"))
    return DateMeaning(Period(begins, ends, grain, " and ".join(names), "between"))


# "three days ago", "in the last two weeks".
COUNTED = (
    DateRule(
        pattern(
            r"\b(?P<preposition>in|over|during|within|for|throughout)\s+the\s+"
            rf"(?P<step>{one_of(_A_DIRECTION)})\s+(?:(?P<count>{NUMBER})\s+)?"
            rf"(?P<unit>{LONG_UNIT})s?\b"
        ),
        _stretch,
        (_A_DIRECTION,),
    ),
    DateRule(pattern(rf"{_COUNT}\s+ago\b"), _ago, (frozenset({"ago"}),)),
    DateRule(
        pattern(rf"\bin\s+{_COUNT}\b(?:['’]?s?['’]?\s+time\b)?(?!\s+of\b)"),
        _in_a_while,
        (frozenset({"in"}), _UNIT_OR_UNITS),
    ),
    DateRule(pattern(rf"{_COUNT}\s+from\s+{one_of(_THE_PRESENT)}\b"), _from_now, (_THE_PRESENT,)),
)


_PART = rf"(?:\s+(?P<part>{PART})\b)?"
_DAY = rf"(?P<weekday>{WEEKDAY})\b"
# Before a weekday without "on", these say that it is a kind of day and not one of them.
_A_KIND = pattern(
    r"\b(?:a|an|the|my|our|your|his|her|their|no|good|black|casual|easter|holy|first|second|third"
    r"|fourth|and|or|like|likes|love|loves|hate|hates|prefer|enjoy|called|named|than|of|freaky)\s+$"
)
_IS_A_KIND = pattern(r"\b(?:favou?rite|best|worst|busiest|weekday|day|called|name)\b.*\bis\s+$")
# A smaller number without a preposition may stand for the 3rd of anything.
_SURELY_A_DAY = 10
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


def _in_week(scene: DateContext, weekday: int, weeks: int) -> datetime:
    return shift(scene.today, "day", weekday - scene.today.weekday() + 7 * weeks)


def _before(scene: DateContext, weekday: int) -> datetime:
    """The last such day before today."""
    return shift(scene.today, "day", -((scene.today.weekday() - weekday - 1) % 7 + 1))


def _after(scene: DateContext, weekday: int) -> datetime:
    """The first such day after today."""
    return shift(scene.today, "day", (weekday - scene.today.weekday() - 1) % 7 + 1)


def _stepped(match: re.Match[str], scene: DateContext) -> DateMeaning:
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
            day = shift(day, "week", 1)
    return DateMeaning(day_period(day, match["part"]))


def _of_week(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """ "Monday last week", "next week on Tuesday"."""
    return DateMeaning(day_period(_in_week(scene, _number(match), step_direction(match["step"]))))


def _month(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """Last: the latest that is over. Next: the first that is still to begin."""
    step = step_direction(match["step"])
    if step == 0 and not is_calendar_name(match["month"]):
        return None
    this = scene.day(scene.said_at.year, MONTH_NUMBERS[match["month"].lower()])
    if step < 0 and month_period(this).ends > scene.today:
        this = shift(this, "year", -1)
    elif step > 0 and this <= scene.today:
        this = shift(this, "year", 1)
    return DateMeaning(month_period(this))


def _weekday(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """The last such day where it was done, else the coming one; None where it is a habit."""
    preposition = (match["preposition"] or "").lower()
    past = scene.direction(match, "weekday") == "back"
    if not is_calendar_name(match["weekday"]) or _is_habit(match, scene, past):
        return None
    if not preposition and not _stands_alone(match, scene):
        return None
    ahead = preposition in ("for", "to") or not past
    day = day_period((_after if ahead else _before)(scene, _number(match)), match["part"])
    if preposition in ("", "on"):
        return DateMeaning(day)
    return DateMeaning(day, True, True, (match.end("preposition"), match.end()), f" {day.name}")


def _is_habit(match: re.Match[str], scene: DateContext, past: bool) -> bool:
    if _PLURAL.match(scene.text, match.end()) or scene.says_always(match):
        return True
    several = _ANOTHER.match(scene.text, match.end()) or scene.follows(match, _ONE_BEFORE)
    return bool(several) and not past


def _stands_alone(match: re.Match[str], scene: DateContext) -> bool:
    """Whether a weekday without a preposition is a date: "see you Friday", not "a Friday"."""
    if scene.follows(match, _ONE_BEFORE):
        return True
    if scene.follows(match, _A_KIND) or scene.follows(match, _IS_A_KIND):
        return False
    return bool(match["part"] or _GOES_ON.match(scene.text, match.end()))


def _day_of_month(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """The day in the nearest month that the clause allows; None for a habit, for "the 3rd" of
    anything, or where no month has such a day."""
    number, lead = int(match["day"]), (match["preposition"] or "").lower()
    alone = not (lead or match["weekday"])
    if scene.says_always(match) or (alone and number < _SURELY_A_DAY):
        return None
    days = _days_numbered(scene, number, range(-13, 14))
    if match["weekday"]:
        days = [day for day in days if day.weekday() == _number(match)]
    day = day_period(scene.choose(days, scene.direction(match, "named")))
    if lead in ("", "on"):
        return DateMeaning(day)
    return DateMeaning(day, True, True, (match.end("preposition"), match.end()), f" {day.name}")


def _day_of_next_month(match: re.Match[str], scene: DateContext) -> DateMeaning:
    """Raises ValueError where that month has no such day."""
    [day] = _days_numbered(scene, int(match["day"]), [step_direction(match["step"])])
    return DateMeaning(day_period(day))


def _days_numbered(scene: DateContext, number: int, steps: Iterable[int]) -> list[datetime]:
    """That day of this month and others, where they have it."""
    months = [shift(scene.today.replace(day=1), "month", step) for step in steps]
    return [each.replace(day=number) for each in months if _has_day(each, number)]


def _has_day(month: datetime, number: int) -> bool:
    return 1 <= number <= monthrange(month.year, month.month)[1]


def _weekend(match: re.Match[str], scene: DateContext) -> DateMeaning | None:
    """The past tense: the last one. The future: the coming one. Else it is any weekend."""
    tense = scene.tense(match)
    if tense not in ("past", "future") or scene.says_always(match):
        return None
    away = -1 if tense == "past" and scene.today.weekday() < 5 else 0  # noqa: PLR2004 - Saturday
    return DateMeaning(weekend_period(shift(scene.today, "week", away)))


# Read before all others, since "last week" is a date of its own.
DAYS_OF_A_WEEK = (
    DateRule(
        pattern(rf"\b(?:on\s+)?{_DAY}\s+(?:of\s+)?(?P<step>last|this|next)\s+week\b"),
        _of_week,
        (A_WEEKDAY, frozenset({"week"})),
    ),
    DateRule(
        pattern(rf"\b(?P<step>last|this|next)\s+week,?\s+(?:on\s+)?{_DAY}"),
        _of_week,
        (A_WEEKDAY, frozenset({"week"})),
    ),
    DateRule(
        pattern(
            r"\b(?:on\s+)?the\s+(?P<day>[0-9]{1,2})(?:st|nd|rd|th)\s+(?:of\s+)?"
            r"(?P<step>last|this|next)\s+month\b"
        ),
        _day_of_next_month,
        (A_NUMBER, frozenset({"month"})),
    ),
)
WEEKDAYS = (
    DateRule(
        pattern(
            r"\b(?:(?P<preposition>on|since|until|till|by|before|after|for|to|from|as\s+of)\s+)?"
            rf"(?P<named>(?:{_DAY},?\s+)?the\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)\b)"
            rf"(?:{CLAUSE_END}|(?=\s+(?:at|and|i|we|he|she|it|they|for|with|from|to|until|because|as|so"
            r"|but|or|then|when|where|while|if|is|was|not|in\s+the)\b))"
        ),
        _day_of_month,
        (A_NUMBER,),
    ),
    DateRule(pattern(rf"\b(?:on\s+)?{STEP}\s+{_DAY}{_PART}(?!\s+of\b)"), _stepped, (A_WEEKDAY,)),
    DateRule(
        pattern(rf"\b{STEP}\s+(?P<month>{MONTH})\b(?!['’]|\s+(?:be|not|have)\b)"),
        _month,
        (A_MONTH,),
    ),
    DateRule(
        pattern(
            r"\b(?:(?P<preposition>on|since|until|till|by|before|after|for|to|from)\s+)?"
            rf"{_DAY}(?!['’]){_PART}"
        ),
        _weekday,
        (A_WEEKDAY,),
    ),
    DateRule(
        pattern(r"\b(?:over|at|on|during)\s+the\s+weekend\b(?!\s+of\b)"),
        _weekend,
        (frozenset({"weekend"}),),
    ),
)
