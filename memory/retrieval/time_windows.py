"""The stretches of time that a question names, found by `memory.dates` and widened to what people
mean when they ask, with seasons, holidays and events ("before I moved"). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from dateutil.easter import easter

from memory.dates import SpokenDate, find_dates
from memory.dates.calendar import (
    LONG_UNIT,
    MONTH,
    NUMBER,
    SEASON,
    UNIT,
    WEEKDAY,
    YEAR,
    midnight,
    parse_count,
    pattern,
    season_period,
    shift,
)
from memory.dates.tense import Tense, tense_at

# A longer text tells something, or quotes it: its words of time are not those of a question.
LONGEST_QUESTION = 600
_WHO = r"(?:i|we|you|he|she|they|it|(?:my|our|his|her|their|the)\s+\w+|[\w’'-]+)"
_SAYS = r"(?:tell|ask|show|give|mention|say|speak|talk|chat|write)"
_SAID = r"(?:told|asked|showed|gave|mentioned|said|spoke|talked|chatted|wrote)"
_LASTS = (
    r"(?:live|work|own|drive|rent|study|weigh|earn|use|like|love|prefer|hate|smoke"
    r"|belong|subscribe)"
)
_HAVE = r"have(?!\s+(?:an?\b|for\b|breakfast|lunch|dinner|to\b|with\b|on\b))"
_PLANNED = (
    r"(?:plans?|goals?|resolutions?|schedules?|calendar|agenda|appointments?|meetings?|events?"
    r"|tasks?|to-?dos?|deadlines?|program(?:me)?s?|bookings?|reservations?)"
)
_PERFECT = pattern(
    r"\b(?:(?:have|has|haven['’]t|hasn['’]t)|\w+['’]ve)\s+(?:(?!to\b)\w+\s+){0,3}?"
    r"(?!(?:planned|scheduled|booked|arranged|need\w*)\b)"
    r"(?:been|done|gone|had|made|seen|met|read|said|told|eaten|bought|spent|spoken|written|taken"
    r"|given|learnt|won|lost|run|got|gotten|\w{2,}ed)\b"
)
_GOING_ON = pattern(rf"\b(?:am|is|are)\s+{_WHO}\s+(?:not\s+|all\s+)?\w+ing\b")
_TELLING = pattern(
    rf"\b(?:did|didn['’]t|do|have|had)\s+(?:i|we)\s+(?:\w+ly\s+|ever\s+|already\s+)?(?:{_SAYS}\s+"
    r"(?:you|to\s+you|with\s+you)\b|(?:say|mention)\b(?!\s+(?:\w+\s+)?(?:to|at|in)\b))"
    rf"|\b(?:i|we)(?:['’]ve|\s+have|\s+had)?\s+(?:{_SAID}\s+(?:to\s+|with\s+)?you\b"
    r"|(?:said|mentioned)\b(?!\s+(?:\w+\s+)?(?:to|at|in)\b)|(?:talked|chatted)\s+about\b)"
    r"|\bdid\s+we\s+(?:talk|chat)\s+about\b"
    r"|\byou\s+(?:\w+ly\s+)?(?:learn(?:ed|t)?|remember(?:ed)?|note[d]?|save[d]?|store[d]?|keep|kept"
    r"|memori[sz]ed?|f(?:i|ou)nd\s+out)\b"
    r"|\b(?:new|added|learned|learnt|saved|stored|noted|changed)\s+(?:in|to)\s+(?:your|my|the)\s+memor"
)
_KNEW = pattern(r"\bdid\s+you\s+(?:\w+ly\s+)?know\b|\byou\s+knew\b")
_LASTING = pattern(
    rf"\b(?:did|didn['’]t)\s+{_WHO}\s+(?:\w+ly\s+|still\s+)?(?:{_LASTS}|{_HAVE})\b"
    r"|\b(?:was|were)\s+(?:my|our|his|her|their|your|\w+['’]s)\s+"
    rf"(?!(?:\w+\s+){{0,2}}{_PLANNED}\b)"
)
_STATE = pattern(
    r"\b(?:am|is|are|was|were|be)\s+(?:i|we|my|our|his|her|their|your|the|\w+['’]s)\s+"
    rf"(?!(?:\w+\s+){{0,2}}{_PLANNED}\b)(?!\w+ing\b)"
    rf"|\b(?:do|does|will)\s+{_WHO}\s+(?:\w+ly\s+|still\s+)?(?:be|pay|{_LASTS})\b|\bdid\s+\w+\s+pay\b"
)
_TOPIC = pattern(
    r"\b(?:for|about|regarding|concerning|of|to|with)\s+(?:the|my|our|his|her|their|your|\w+['’]s)\s+"
    r"(?:[\w’'-]+\s+){1,3}$"
)
_SUBJECT = r"(?:i|we|you|he|she|they|it|who|that|which|what|did|was|were|is|are|have|has|had|be)"
_PARTICIPLE = pattern(
    r"(?<!\bwhat\s)(?<!\bwho\s)(?<!\bwhen\s)(?<!\bwhere\s)(?<!\bthat\s)(?<!\bhow\s)"
    r"(?<!\bhas\s)(?<!\bhave\s)(?<!\bhad\s)"
    r"\b(?:the|my|our|a|an|his|her|their|your|any|all)\s+"
    rf"(?:(?!{_SUBJECT}\b)[\w’'-]+\s+){{1,3}}"
    r"(?:\w{2,}ed|made|taken|written|built|bought|sold|sent|given|held|born|found|set|due)\s+$"
)
_OF_YEAR = pattern(
    r"\b(?:the|my|our|his|her|their|your|a|an)\s+"
    rf"(?!(?:\w+\s+)?{_PLANNED}\s)(?:[\w-]+\s+){{1,3}}(?:for|of|from)\s+$"
)
_YEAR_ONLY = pattern(rf"{YEAR}$")
_MEASURES = pattern(
    r"\bhow\s+old\b|\bhow\s+long\s+(?:(?:have|has|is|was|it)\b.*|until|till|since|before|after|ago)\b"
    r"|\bhow\s+(?:long|many\s+(?:minutes|hours|days|nights|weeks|months|years))\b[^?]*"
    r"\b(?:until|till|since|before|after|between|from|to|left)\b"
    r"|\b(?:what|which)\s+(?:day|date|weekday)\s+(?:is|was|will)\b"
)
_OPENING = pattern(
    r"(?:(?:ever\s+)?since|as\s+of|up\s+to|prior\s+to|back\s+in|in|on|at|during|over|within|for|of"
    r"|throughout|around|through|from|between|before|after|until|till|by|to|about|circa)\s+"
)
_HABIT = pattern(
    r"\b(?:always|usually|often|normally|generally|typically|every|each|whenever|weekly|monthly"
    r"|regularly|rarely|seldom|never)\b"
)
_SIMPLE_PRESENT = pattern(
    r"\b(?:do|does)\s+(?:i|we|you|he|she|they|it|(?:my|our|his|her|their|the)\s+\w+)\s+"
    r"(?!have\b|need\b|plan\b|want\b)"
)
_LAST_PREPOSITION = pattern(
    r"\b(?:in|on|at|from|during|since|by|before|after|until)\s+(?:the\s+)?$"
)
_EACH_YEAR = pattern(r"\b(?:birthdays?|anniversar(?:y|ies)|born|name\s*days?)\b")


def question_tense(question: str, start: int, end: int) -> Tense:
    """The tense of the clause around a span; "have I done" looks back, "am I doing" ahead."""
    tense = tense_at(question, start, end)
    if tense in ("past", "future"):
        return tense
    if _PERFECT.search(question):
        return "past"
    return "future" if _GOING_ON.search(question) else tense


def asks_what_was_told(question: str) -> bool:
    """Whether the time is that of the telling: "what did I tell you", "what have you learned"."""
    return _TELLING.search(question) is not None


def asks_what_was_known(question: str) -> bool:
    return _KNEW.search(question) is not None


def asks_for_state(question: str) -> bool:
    """Whether it asks for what is or was so for a while: where one lived, what one's job is."""
    return any(each.search(question) for each in (_LASTING, _STATE))


def measures_time(question: str) -> bool:
    """Whether the answer is a span of time or a date that is counted from the one given."""
    return _MEASURES.search(question) is not None


def speaks_of_habit(question: str) -> bool:
    return _HABIT.search(question) is not None


def says_what_is_always_so(question: str) -> bool:
    """ "What do I do in May", which may mean every May."""
    return _SIMPLE_PRESENT.search(question) is not None


def comes_each_year(question: str, *, yearless: bool) -> bool:
    """Whether the date may be that of a birth or of what comes again with it."""
    found = _EACH_YEAR.search(question)
    return found is not None and (yearless or found[0].lower() == "born")


def skip_preposition(text: str, start: int, end: int) -> int:
    """Where the date that stands from `start` to `end` begins behind its own preposition."""
    opening = _OPENING.match(text, start, end)
    return opening.end() if opening else start


def is_part_of_thing(before: str, words: str) -> bool:
    """Whether the date belongs to a thing and not to the question: "the house built in 1920",
    "my tax return for 2019". `before` is what stands before the bare date, `words` that date."""
    if _PARTICIPLE.search(_without_preposition(before)):
        return True
    return bool(_YEAR_ONLY.match(words) and _OF_YEAR.search(before))


def is_beside_topic(before: str) -> bool:
    """Whether the date may belong to a topic: "what did I pay for the flight on 3 March"."""
    return _TOPIC.search(_without_preposition(before)) is not None


def _without_preposition(before: str) -> str:
    return _LAST_PREPOSITION.sub("", before)


AnchorRelation = Literal["before", "after"]
_BEFORE = frozenset({"before", "until", "till", "prior to"})
_OF_DAY = (
    r"(?:day|night|week|month|year|evening|morning|weekend|end|start|beginning|middle|age|time"
    r"|fact)"
)
_ANCHOR = pattern(
    rf"\b(?P<words>(?:(?:the\s+(?:day|night|week|month|year|evening|morning)|{NUMBER}\s+{UNIT}s?"
    r"|right|just|shortly|soon|immediately|ever)\s+)*"
    r"(?P<relation>before|after|since|until|till|prior\s+to)\s+"
    r"(?P<anchor>(?P<who>(?:i|we|he|she|they|you)\s+)?"
    r"(?(who)|(?P<thing>(?:the|my|our|his|her|their|[A-Z][\w-]*['’]s)\s+"
    rf"(?!{_OF_DAY}\b)|(?-i:[A-Z][\w-]*)\s+(?=\w+ed\b|left\b|came\b|died\b)))[^,;?.!]+))"
)
# "Who looks after my cat" counts from nothing, and "what to eat before the surgery" is a topic.
_IDIOM = pattern(
    r"\b(?:look(?:s|ed|ing)?|nam(?:e|ed)|run(?:s|ning)?|care[sd]?|chas(?:e|ed))\s+(?:\w+\s+){0,3}$"
)
_INFINITIVE = pattern(r"\bto\s+\w+(?:\s+\w+)*\s+$")
_NEXT_CLAUSE = pattern(
    r"\s+(?=(?:what|where|who|which|how|did|was|were|had)\s+"
    r"(?:did|was|were|i|we|my|our|many|much|had|the|happened|car|phone|job)\b)"
)


@dataclass(frozen=True)
class EventAnchor:
    """`question[start:end]` are the words, `event` what they count from, which begins at `at`."""

    start: int
    end: int
    relation: AnchorRelation
    event: str
    at: int


def find_anchors(question: str) -> Iterator[EventAnchor]:
    """Those of a question that looks back. What is to be done before the trip, or is done after
    work, belongs to the trip and to work, and not to a moment."""
    for match in _ANCHOR.finditer(question):
        anchor = _anchor(question, match)
        if anchor is not None:
            yield anchor


def _anchor(question: str, match: re.Match[str]) -> EventAnchor | None:
    event = _cut(match["anchor"], fronted=not question[: match.start()].strip())
    relation = " ".join(match["relation"].lower().split())
    head = question[: match.start()]
    if _INFINITIVE.search(head) or (relation == "after" and _IDIOM.search(head)):
        return None
    end = match.start("anchor") + len(event)
    if match["who"] and tense_at(event, len(event), len(event)) != "past":
        return None
    if not _looks_back(question, match.start(), end, is_clause=bool(match["who"])):
        return None
    before: AnchorRelation = "before" if relation in _BEFORE else "after"
    return EventAnchor(match.start(), end, before, event, match.start("anchor"))


def _cut(event: str, *, fronted: bool) -> str:
    """In front, the anchor ends where the question begins: "before I moved where did I live"."""
    following = _NEXT_CLAUSE.search(event) if fronted else None
    return event[: following.start()].rstrip() if following else event.rstrip()


def _looks_back(question: str, start: int, end: int, *, is_clause: bool) -> bool:
    rest = f"{question[:start]}{question[end:]}"
    if not re.search(r"\w", rest):
        return is_clause
    return question_tense(rest, start, start) == "past"


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
class TimeWindow:
    """`question[start:end]` names the time from `begins` up to, without, `ends`. `yearless` says
    that its words would do for any year."""

    start: int
    end: int
    begins: datetime
    ends: datetime
    yearless: bool = False


def find_seasons(question: str, now: datetime) -> Iterator[TimeWindow]:
    """The latest or the coming one; where neither is told by the verb, it is any summer."""
    for match in _SEASON.finditer(question):
        season = match["season"].lower()
        if season == "fall" and match["lead"].lower() not in ("in", "during", "over"):
            continue  # "after the fall" is an accident

        def in_year(year: int, season: str = season) -> tuple[datetime, datetime]:
            period = season_period(season, midnight(now).replace(year=year, month=1, day=1))
            return period.begins, period.ends

        yield from _occurrence(question, match, now, in_year)


def find_holidays(question: str, now: datetime) -> Iterator[TimeWindow]:
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
) -> Iterator[TimeWindow]:
    lead, tense = match["lead"].lower(), question_tense(question, *match.span())
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
    yield TimeWindow(*match.span(), *chosen)


def find_weekends(question: str, now: datetime) -> Iterator[TimeWindow]:
    """ "How was the weekend": the last one; "plans for the weekend": the coming one; from its
    Saturday on this one."""
    today = midnight(now)
    for match in _WEEKEND.finditer(question):
        saturday = today - ((today.weekday() - 5) % 7) * _DAY
        ahead = match["for"] and question_tense(question, *match.span()) != "past"
        if ahead and saturday + 2 * _DAY <= today:
            saturday += 7 * _DAY
        yield TimeWindow(*match.span("it"), saturday, saturday + 2 * _DAY)


_YEARS = pattern(
    rf"\b(?:between|from)\s+(?P<first>{YEAR})\s*(?:and|to|until|till|through|-|–)\s*"
    rf"(?P<last>{YEAR})\b(?![-/])"
)
_LAST = pattern(
    rf"\b(?:(?:in|over|during|within|for|throughout)\s+)?the\s+(?P<step>last|past|next|coming)\s+"
    rf"(?:(?P<count>{NUMBER})\s+)?(?P<unit>{LONG_UNIT})s?\b(?!\s+of\b)"
)
_AWAY = pattern(rf"(?P<count>{NUMBER})\s+(?P<unit>{UNIT})s?\s*(?:ago|from|$)")
_VAGUE = pattern(r"\b(?:about|around|roughly|almost|nearly|over|more\s+than|some|or|to)\b|[-–]")
# How far "so many of these ago" may be from what it says; vague counts are off by one more.
_SLACK = {"day": 0, "week": 4, "fortnight": 4, "month": 15, "year": 60, "decade": 365}
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 365, "decade": 3650}
# "During May" is read as "in May", which `memory.dates` knows; the length stays the same.
_IN_MONTH = pattern(
    r"\b(?P<lead>for|from|during|before|after|throughout|around|as\s+of|back\s+in)(?=\s+"
    rf"(?:(?:early|mid|late)[\s-])?{MONTH}\b)"
)
_NAMES_MONTH = pattern(rf"\b(?:{MONTH}|{SEASON})\b")
_NAMES_WEEKDAY = pattern(rf"\b{WEEKDAY}\b")


def find_time_windows(question: str, now: datetime) -> list[TimeWindow]:
    """All of them in their order; none overlaps another. Raises OverflowError and ValueError
    beyond the calendar."""
    found: list[TimeWindow] = []
    for read in (_years, _lasts, find_holidays, find_seasons, find_weekends, _dates):
        for stretch in read(question, now):
            if not any(_overlap(stretch, other) for other in found):
                found.append(stretch)
    return sorted(found, key=lambda stretch: stretch.start)


def _overlap(one: TimeWindow, other: TimeWindow) -> bool:
    return one.start < other.end and other.start < one.end


def _years(question: str, now: datetime) -> Iterator[TimeWindow]:
    first_day = midnight(now).replace(month=1, day=1)
    for match in _YEARS.finditer(question):
        first, last = int(match["first"]), int(match["last"])
        if first <= last:
            yield TimeWindow(
                *match.span(), first_day.replace(year=first), first_day.replace(year=last + 1)
            )


def _lasts(question: str, now: datetime) -> Iterator[TimeWindow]:
    """The last or next so many days, weeks, months or years, with today in it."""
    today = midnight(now)
    for match in _LAST.finditer(question):
        count, _ = parse_count(match["count"] or "one")
        if match["step"].lower() in ("last", "past"):
            begins, ends = shift(today, match["unit"].lower(), -count), today + _DAY
        else:
            begins, ends = today, shift(today, match["unit"].lower(), count) + _DAY
        yield TimeWindow(*match.span(), begins, ends)


def _dates(question: str, now: datetime) -> Iterator[TimeWindow]:
    read = _IN_MONTH.sub(lambda match: "in".ljust(len(match[0])), question)
    for date in find_dates(read, now):
        words = question[date.start : date.end]
        yearless = date.relative and _NAMES_MONTH.search(words) is not None
        stretch = TimeWindow(date.start, date.end, date.begins, date.ends, yearless)
        lead = _IN_MONTH.match(question, date.start)
        if yearless and lead and lead["lead"].lower() == "as of":
            stretch = _years_back(stretch, now)
        yield _as_asked(question, _widened(stretch, date, words), now)


def _widened(stretch: TimeWindow, date: SpokenDate, words: str) -> TimeWindow:
    """An hour is asked for with its day, and "two weeks ago" with the days around it."""
    away = _AWAY.search(words)
    if away is not None:
        unit = away["unit"].lower()
        if unit not in _SLACK:
            return _spread(stretch, timedelta(hours=1))
        vague = parse_count(away["count"])[1] or _VAGUE.search(words)
        return _spread(stretch, (_SLACK[unit] + (_DAYS[unit] if vague else 0)) * _DAY)
    if date.grain == "minute":
        day = midnight(stretch.begins)
        return replace(stretch, begins=day, ends=day + _DAY)
    return stretch


def _spread(stretch: TimeWindow, slack: timedelta) -> TimeWindow:
    return replace(stretch, begins=stretch.begins - slack, ends=stretch.ends + slack)


def _as_asked(question: str, stretch: TimeWindow, now: datetime) -> TimeWindow:
    """ "What have I done in May" looks back, although its verb is "have"."""
    if stretch.begins <= now or question_tense(question, stretch.start, stretch.end) != "past":
        return stretch
    words = question[stretch.start : stretch.end]
    if re.search(r"\bnext\b|\bcoming\b|\btomorrow\b", words, re.IGNORECASE):
        return stretch
    if stretch.yearless:
        return _years_back(stretch, now)
    if _NAMES_WEEKDAY.search(words):
        return replace(stretch, begins=stretch.begins - 7 * _DAY, ends=stretch.ends - 7 * _DAY)
    return stretch


def _years_back(stretch: TimeWindow, now: datetime) -> TimeWindow:
    """The latest that has begun."""
    while stretch.begins > now:
        begins, ends = (shift(each, "year", -1) for each in (stretch.begins, stretch.ends))
        stretch = replace(stretch, begins=begins, ends=ends)
    return stretch
