"""Whether a clause looks back or ahead, or says what is always so, by words and without grammar;
and what a rule for dates is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.dates.calendar import DateMeaning, midnight, pattern

Tense = Literal["past", "future", "present", "unknown"]

# Farther words say nothing about a date, and a text without full stops stays cheap.
_REACH = 200
_BOUNDARY = pattern(
    r"[.!?;:\n](?=\s|$)|,\s+(?:and|but|so|which|who)\b"
    r"|\b(?:but|because|while|although|and\s+(?=(?:i|we|he|she|they|it|then)\b))"
)
_IRREGULAR = (
    "(?:was|were|wasn['’]t|weren['’]t|had|hadn['’]t|did|didn['’]t|went|came|saw|met|got|took|made"
    "|gave|told|said|found|left|felt|kept|held|heard|bought|brought|thought|taught|caught|fought"
    "|lost|spent|sent|built|slept|won|ran|sat|stood|began|broke|chose|drove|ate|fell|flew|forgot"
    "|froze|grew|hid|knew|rode|rose|sang|spoke|stole|swam|threw|wore|wrote|woke|drank|drew|shook"
    "|paid|led|became|understood|sold|struck|swore|tore|shot|bit|blew|lent|meant|learnt|quit|wed)"
)
# The same word in the present and in the past.
_EITHER = "(?:hit|hurt|cut|put|read|let|set|shut|split|beat)"
_NOT_PAST = (
    "(?:need|feed|seed|speed|weed|bleed|breed|greed|indeed|exceed|proceed|succeed|hundred|sacred"
    "|naked|wicked|united|kindred|embed)"
)
# "The detailed plan" tells of no past.
_NO_ADJECTIVE = "".join(
    rf"(?<!\b{word}\s)" for word in ("the", "a", "an", "my", "our", "your", "more", "very", "so")
)
_BE = r"(?:am|is|are|i['’]m|\w+['’](?:s|re)|be|being|gets?)"
_BETWEEN = r"(?:(?:\w+ly|not|also|all|both|now|just)\s+)?"
_MODAL = (
    r"(?:will|\w+['’]ll|won['’]t|shall|going\s+to|gonna|must|should|can|could|would|might"
    r"|(?:have|has|had)\s+to|(?:i|you|we|he|she|it|they|this|that)\s+(?-i:may)(?=\s+[a-z]))"
)
_MARKERS = pattern(
    rf"\b(?:(?P<past1>did(?:n['’]t)?(?:\s+\w+){{0,3}}?\s+(?:do|have|be|need|want|plan|hope|read)"
    r"|\w+['’]d\s+(?:been|gone|\w+ed))"
    rf"|(?P<future>{_MODAL}(?:\s+(?:not|be|get))*(?:\s+\w+ed)?"
    rf"|{_BE}\s+{_BETWEEN}(?:\w+ing(?:\s+\w+ed)?|due|about\s+to)|needs?|wants?"
    r"|plan(?:s|ning)?|hopes?|intends?|expects?|scheduled|upcoming|let['’]s|remind"
    rf"|(?:don['’]t|do\s+not)\s+forget|to\s+(?:be|have|{_EITHER}|quit)|(?:don['’]t|not)\s+quit)"
    rf"|(?P<present1>{_BE}\s+{_BETWEEN}\w+ed|get\s+(?:my|the|it|our)\s+(?:\w+\s+)?\w+ed)"
    rf"|(?P<past2>{_IRREGULAR}|(?!{_NOT_PAST}\b){_NO_ADJECTIVE}\w{{2,}}ed|{_EITHER})"
    r"|(?P<present2>am|is|are|i['’]m|\w+['’](?:re|s|ve)|has|have|do(?=\s+(?:i|you|we|they)\b)|does"
    r"|don['’]t|doesn['’]t|and\s+(?:start|begin|leave|fly|move|go|finish|join|return)s?))"
    r"(?![\w'’])"
)
_ALWAYS_SO = pattern(
    r"\b(?:always|usually|often|never|sometimes|normally|generally|typically|every|each|tends?\s+to"
    r"|whenever|weekly|monthly|yearly|annual(?:ly)?|used\s+to|rarely|seldom|regularly|once\s+a"
    r"|twice\s+a|times\s+a|most|any)\b"
)
_OCCASION = pattern(
    r"\b(?:deadline|due|exams?|flights?|release|launch|wedding|appointment|interview|conference"
    r"|trip|meeting|concert|surgery|operation|party|marathon|race|hearing|court|delivery|viewing"
    r"|starts?|begins?|leaves?|ends?|expires?|fl(?:y|ies)|moves?|arrives?|graduates?|retires?"
    r"|join(?:s)?|launches|ships?|marry|marries|demo|call|visit|check-?up|scan|birthday)\b"
)
_EACH_YEAR = pattern(
    r"\b(?:(?:birthday|anniversary)(?!\s+(?:party|dinner|trip|meal|lunch|weekend))|born)\b"
)


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a span in its own clause."""
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    borders = [match.end() for match in _BOUNDARY.finditer(before)]
    if borders and before[borders[-1] :].strip():
        before = before[borders[-1] :]
    border = _BOUNDARY.search(after)
    return before, after[: border.start()] if border else after


def tense_at(text: str, start: int, end: int) -> Tense:
    """The tense of the nearest verb before the span, else of the first after it."""
    before, after = clause_around(text, start, end)
    markers = list(_MARKERS.finditer(before))
    marker = markers[-1] if markers else _MARKERS.search(after)
    if marker is None:
        return "unknown"
    return _tense_of(marker)


def says_always(text: str, start: int, end: int) -> bool:
    """Whether the clause speaks of what happens again and again."""
    return _holds(_ALWAYS_SO, text, start, end)


def is_one_event(text: str, start: int, end: int) -> bool:
    """Whether the clause tells of something that happens once, so that its year is known."""
    if says_always(text, start, end) or _holds(_EACH_YEAR, text, start, end):
        return False
    if tense_at(text, start, end) in ("past", "future"):
        return True
    return _holds(_OCCASION, text, start, end)


def _tense_of(marker: re.Match[str]) -> Tense:
    if marker["past1"] or marker["past2"]:
        return "past"
    return "future" if marker["future"] else "present"


def _holds(words: re.Pattern[str], text: str, start: int, end: int) -> bool:
    return any(words.search(part) for part in clause_around(text, start, end))


@dataclass(frozen=True)
class DateContext:
    """What a rule is given: a text, and when it was said."""

    text: str
    said_at: datetime

    @property
    def today(self) -> datetime:
        return midnight(self.said_at)

    def day(self, year: int, month: int = 1, day: int = 1) -> datetime:
        """Raises ValueError where the calendar has no such day."""
        return self.today.replace(year=year, month=month, day=day)

    def follows(self, match: re.Match[str], words: re.Pattern[str]) -> bool:
        """Whether `words`, a pattern that ends in $, stands right before the match."""
        return bool(words.search(self.text[max(0, match.start() - 40) : match.start()]))

    def tense(self, match: re.Match[str]) -> Tense:
        return tense_at(self.text, *match.span())

    def is_past(self, match: re.Match[str]) -> bool:
        return self.tense(match) == "past"

    def says_always(self, match: re.Match[str]) -> bool:
        return says_always(self.text, *match.span())

    def is_one_event(self, match: re.Match[str]) -> bool:
        return is_one_event(self.text, *match.span())


@dataclass(frozen=True)
class DateRule:
    """A pattern and what its matches mean; `read` gives None where a match is no date.

    A text that the pattern matches has a word of each of the `needs`: to look for words once is far
    cheaper than to try thirty patterns.
    """

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], DateContext], DateMeaning | None]
    needs: tuple[frozenset[str], ...]

    def may_match(self, words: frozenset[str]) -> bool:
        return not any(need.isdisjoint(words) for need in self.needs)
