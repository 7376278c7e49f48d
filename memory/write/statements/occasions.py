"""When a meeting, an appointment or a deadline is, and that it was moved. Pure, English."""

from __future__ import annotations

import re
from datetime import date

from memory.write.statements.slot import Slot
from memory.write.statements.subjects import PERSON, PETS
from memory.write.statements.wording import Statement, stems_of

_OCCASION = (
    r"(?:meeting|appointment|deadline|call|flight|train|party|wedding|exam|interview|stand-?up|sync"
    r"|review|launch|release|demo|dinner|lunch|brunch|breakfast|class|lesson|session|trip"
    r"|conference|concert|check-?up|surgery|operation|game|match|rehearsal|delivery|retro"
    r"|retrospective|one-on-one|1:1|webinar|workshop|practice|training|visit|reservation|booking"
    r"|presentation|date|course|seminar|festival|move|hearing|ceremony|kick-?off|planning|viewing"
    r"|funeral|birthday party|graduation|start date|due date|holiday|vacation)"
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t?ember"
    r"|ober|t)?"
)
_TITLE = re.compile(
    rf"\b(?P<title>(?:[\w'-]+ )*?{_OCCASION}s?\b"
    r"(?: (?:with|for|at the|of|to|in)(?: (?!(?:at|on|is|was|has|to|noon|midnight|next|tomorrow"
    r"|mon|tue"
    rf"|wed|thu|fri|sat|sun|{_MONTH})(?:\b|[a-z]*day\b)|\d)[\w'-]+){{1,4}}?)?)"
    r"(?= (?:is|was|are|has|will|moved|at|on|takes|starts|begins|got|changed|from|for|to|now"
    r"|leaves|departs|arrives"
    r"|lands|ends|slipped|slips)\b|$)"
)
# Anything else that is at, on or moved to a time: "my haircut is at 4".
_ANY_TITLE = re.compile(
    rf"^(?:the|my|our) (?P<title>(?!(?:{PERSON}|{PETS})\b)[\w' -]{{2,40}}?)"
    r"(?= (?:is|are|was|has been|have been|got|will be)(?: now| moved| rescheduled| postponed"
    r"| pushed)* (?:at|on|to) (?:\d|noon|mon|tue|wed|thu|fri|sat|sun))"
)
_HOW_OFTEN = re.compile(r"\b(?:daily|weekly|monthly|yearly|annual|quarterly)\b")
_MOVED_VERB = re.compile(
    r"\b(?:moved|rescheduled|postponed|pushed|brought forward|changed|shifted|delayed|slipped"
    r"|extended|set back|put off)\b"
)
_CANCELLED = re.compile(r"\b(?:cancell?ed|called off|fell through|not happening|scrapped)\b")
_PUT_OFF = re.compile(r"\b(?:postponed|rescheduled|put off|delayed)\b")
_PLACE = re.compile(r"\b(?:is|be|was|moved|takes place)(?: held)? (?:in|to|at) ([A-Z]\w+)\b(?!day)")
_LEADING = re.compile(
    r"^(?:the|my|our|a|an|this|next|we|i|have|has|had|need|got|booked|scheduled|made|moved"
    r"|rescheduled|postponed|pushed|changed|to|there|is|cancelled|canceled|weekly|daily|monthly"
    r"|yearly|annual|quarterly"
    r"|have to|must|attend|go|going)\b ?"
)
_ONE_OF_MANY = re.compile(r"\b(?:a|an|another|have|has|some|booked|scheduled)\b")
_A_SINGLE_ONE = re.compile(r"\b(?:the|my|our|this)\b")
_DAY = r"(?P<day>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_CLOCK = re.compile(
    r"\b(?:at|to|from|until|is|till|for) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?"
    r" ?(?P<half>[ap]\.?m\b\.?)?(?! ?(?:minutes?|hours?|days?|people|weeks?|km|%|st|nd|rd|th)|\w|-)"
    r"|\b(?P<hour2>\d{1,2})(?:[:.](?P<minute2>\d{2}))? ?(?P<half2>[ap]\.?m\b)"
    r"|\b(?P<word>noon|midnight)\b"
)
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<date>\d{2})\b"),
    re.compile(rf"\b(?P<name>{_MONTH})\.? (?P<date>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"),
    re.compile(rf"\b(?P<date>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<name>{_MONTH})\b"),
)
_IN_MONTH = re.compile(rf"\b(?:in|by|is|to|until|till|of|mid|early|late)[ -](?P<name>{_MONTH})\b")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LATER = re.compile(r"\bfrom [^.]+? to (?=\w)")


def occasion_slots(statement: Statement) -> list[Slot]:
    """Day, date and clock of one occasion, or that it is cancelled; [] for any other text."""
    plain = statement.said.lower()
    match = _TITLE.search(plain) or _ANY_TITLE.search(plain)
    if match is None:
        return []
    times = _times_beside(match, statement)
    stems = sorted(set(stems_of(_title(match["title"]))))
    if not stems or not times or len(stems) > 6:  # noqa: PLR2004 - a sentence, no title
        return []
    until = plain[: match.end()]
    moved = statement.changed or _MOVED_VERB.search(plain) is not None
    one = moved or bool(_A_SINGLE_ONE.search(until)) or not _ONE_OF_MANY.search(until)
    often = _HOW_OFTEN.search(until)
    return [
        Slot(
            "time:" + " ".join(stems),
            "",
            value,
            owner="",
            aspect=aspect,
            single=one and not statement.also,
            outright=moved,
            negated=not value,
            which=often[0] if often else "",
        )
        for aspect, value in times
    ]


def _times_beside(title: re.Match[str], statement: Statement) -> list[tuple[str, str]]:
    """Aspects and values; one empty pair where it is off, or put off until nobody knows when."""
    plain = title.string
    times = _times(_LATER.sub("to ", plain[: title.start()] + plain[title.end() :]))
    if not times:
        times = [("place", found) for found in _PLACE.findall(statement.said)[:1]]
    off = _CANCELLED.search(plain) or (not times and _PUT_OFF.search(plain))
    return [("", "")] if off else times


def _title(text: str) -> str:
    while (shorter := _LEADING.sub("", text, count=1)) != text:
        text = shorter
    return text


def _times(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for pattern in _DATES:
        if match := pattern.search(text):
            found += _date(match)
            text = text[: match.start()] + text[match.end() :]
            break
    if match := _IN_MONTH.search(text):
        found.append(("month", match["name"][:3]))
    if match := re.search(rf"\b{_DAY}\b", text):
        found.append(("day", match["day"][:3]))
    if match := _CLOCK.search(text):
        found.append(("clock", _clock(match)))
    return list(dict.fromkeys(found))


def _date(match: re.Match[str]) -> list[tuple[str, str]]:
    parts = match.groupdict()
    if parts.get("year"):
        try:
            day = date(int(parts["year"]), int(parts["month"]), int(parts["date"]))
        except ValueError:
            return []
        return [("date", f"{day:%m-%d}"), ("day", _WEEKDAYS[day.weekday()])]
    return [("date", f"{_MONTHS.index(parts['name'][:3]) + 1:02d}-{int(parts['date']):02d}")]


def _clock(match: re.Match[str]) -> str:
    """On a dial of twelve, with the half of the day where it is said: "3:00", "3:00 p.m."."""
    if match["word"]:
        return "0:00 p.m." if match["word"] == "noon" else "0:00 a.m."
    hour = int(match["hour"] or match["hour2"])
    half = (match["half"] or match["half2"] or ("p" if hour > 12 else ""))[:1]  # noqa: PLR2004
    clock = f"{hour % 12}:{match['minute'] or match['minute2'] or '00'}"
    return f"{clock} {half}.m." if half else clock
