"""Whether a clause looks back or ahead, or says what is always so, by its auxiliaries, verb forms
and prepositions; and what a rule for dates is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.dates.calendar import YEAR, DateMeaning, midnight, pattern

Tense = Literal["past", "future", "present", "unknown"]
Direction = Literal["back", "ahead", "nearer"]

# Farther words say nothing about a date, and a text without full stops stays cheap.
_REACH = 200
_BOUNDARY = pattern(
    r"[.!?;:\n](?=\s|$)|,\s+(?:and|but|so|which|who)\b"
    r"|,\s+(?=(?-i:[a-z]+s)\b)"
    r"|\b(?:but|because|while|although|and\s+(?=(?:i|we|he|she|they|it|then)\b))"
)
_IRREGULAR = (
    "(?:was|were|wasn['’]t|weren['’]t|had|hadn['’]t|did|didn['’]t|went|came|saw|met|got|took|made"
    "|gave|told|said|found|left|felt|kept|held|heard|bought|brought|thought|taught|caught|fought"
    "|lost|spent|sent|built|slept|won|ran|sat|stood|began|broke|chose|drove|ate|fell|flew|forgot"
    "|froze|grew|hid|knew|rode|rose|sang|spoke|stole|swam|threw|wore|wrote|woke|drank|drew|shook"
    "|paid|led|became|understood|sold|struck|swore|tore|shot|bit|blew|lent|meant|learnt|quit|wed"
    "|fed|fled|bled|bred|sped|dealt|dug|hung|laid|lay|lit|rang|sought|shone|slid|stuck|swept|swung"
    "|wound|withdrew|underwent|burnt|crept|wept|leapt|sank|shrank|forgave|overcame)"
)
# As it is said after "to" and "would", of the verbs above and those like them.
_VERB = (
    "(?:be|have|do|go|come|get|meet|see|take|make|give|tell|say|find|leave|keep|hold|hear|buy|bring"
    "|think|teach|catch|fight|lose|spend|send|build|sleep|win|run|sit|stand|begin|break|choose"
    "|drive|eat|fall|fly|hide|know|ride|rise|sing|speak|steal|swim|throw|wear|write|wake|drink|draw"
    "|pay|lead|become|sell|swear|shoot|lend|quit|hit|cut|put|read|let|set|shut|split)"
)
# Participles that are not the past tense as well; after "have" they tell what was done.
_PARTICIPLE = (
    "(?:been|become|begun|broken|chosen|come|done|driven|drunk|eaten|fallen|flown|forgotten|frozen"
    "|given|gone|grown|known|ridden|risen|run|seen|shown|spoken|stolen|sung|swum|taken|thrown"
    "|torn|withdrawn|woken|worn|written)"
)
# The same word in the present and in the past.
_EITHER = "(?:hit|hurt|cut|put|read|let|set|shut|split|beat)"
_NOT_PAST = (
    "(?:need|feed|seed|speed|weed|bleed|breed|greed|indeed|exceed|proceed|succeed|hundred|sacred"
    "|naked|wicked|united|kindred|embed)"
)
# "The detailed plan" tells of no past.
_NO_ADJECTIVE = "".join(
    rf"(?<!\b{word}\s)"
    for word in (
        *("the", "a", "an", "my", "our", "your", "his", "her", "their", "its", "these", "no"),
        *("more", "very", "so"),
    )
)
_DONE = rf"(?:\w+ed|{_IRREGULAR}|{_PARTICIPLE}|{_EITHER})"
_BE = r"(?:am|is|are|i['’]m|\w+['’](?:s|re)|be|being|gets?)"
_BETWEEN = r"(?:(?:\w+ly|not|also|all|both|now|just)\s+)?"
_MODAL = (
    r"(?:will|\w+['’]ll|won['’]t|shall|going\s+to|gonna|must|should|can|could|would|might"
    r"|(?:have|has)\s+to|(?:i|you|we|he|she|it|they|this|that)\s+(?-i:may)(?=\s+[a-z]))"
)
_MARKERS = pattern(
    rf"\b(?:(?P<past1>could(?:n['’]t|\s+not)|had\s+to"
    r"|did(?:n['’]t)?(?:\s+\w+){0,3}?\s+(?:do|have|be|need|want|plan|hope|read)"
    r"|\w+['’]d\s+(?:been|gone|\w+ed)"
    rf"|(?:ha(?:s|ve|d)(?:n['’]t)?|\w+['’]ve)\s+{_BETWEEN}(?:{_PARTICIPLE}|(?!need)\w{{2,}}ed))"
    rf"|(?P<future>(?:will|shall|\w+['’]ll)\s+have\s+{_DONE}"
    rf"|(?:i|you|we|he|she|it|they)['’]d\s+{_VERB}|{_MODAL}(?:\s+(?:not|be|get))*(?:\s+{_DONE})?"
    rf"|{_BE}\s+{_BETWEEN}(?:\w+ing(?:\s+{_DONE})?|due|about\s+to)"
    rf"|{_NO_ADJECTIVE}(?:needs?|wants?|plan(?:s|ning)?|hopes?)"
    r"|intends?|expects?|(?<!was\s)(?<!were\s)scheduled|upcoming|let['’]s|remind"
    r"|(?:don['’]t|do\s+not)\s+forget"
    rf"|to\s+(?:(?:be|have|get)(?:\s+{_DONE})?|{_EITHER}|quit)|(?:don['’]t|not)\s+quit)"
    rf"|(?P<present1>{_BE}\s+{_BETWEEN}\w+ed|(?:am|is|are|be|being|gets?)\s+{_BETWEEN}{_DONE}"
    rf"|(?:have|has|having|get|gets|getting)\s+(?:my|the|it|our|your|his|her|their)\s+"
    rf"(?:\w+\s+){{0,2}}{_DONE})"
    rf"|(?P<past2>{_IRREGULAR}|(?!{_NOT_PAST}\b){_NO_ADJECTIVE}\w{{2,}}ed|{_EITHER})"
    r"|(?P<present2>am|is|are|i['’]m|\w+['’](?:re|s|ve)|has|have|do(?=\s+(?:i|you|we|they)\b)|does"
    r"|(?:he|she|it|that|which|who)\s+(?!(?:was|this|his|always)\b)(?-i:[a-z]{2,})(?<![su])s"
    r"|don['’]t|doesn['’]t|and\s+(?:start|begin|leave|fly|move|go|finish|join|return)s?))"
    r"(?![\w'’])"
)
_ALWAYS_SO = pattern(
    r"\b(?:always|usually|often|never|sometimes|normally|generally|typically|every|each|tends?\s+to"
    r"|whenever|weekly|monthly|yearly|annual(?:ly)?|used\s+to|rarely|seldom|regularly|once\s+a"
    r"|twice\s+a|times\s+a"
    r"|(?:most|any)(?=\s+(?:\w*day|week|weekend|month|year|time|morning|evening|night)s?\b))\b"
)
_OCCASION = pattern(
    r"\b(?:deadline|due|exams?|flights?|release|launch|wedding|appointment|interview|conference"
    r"|trip|meeting|concert|surgery|operation|party|marathon|race|hearing|court|delivery|viewing"
    r"|starts?|begins?|leaves?|ends?|expires?|fl(?:y|ies)|moves?|arrives?|graduates?|retires?"
    r"|join(?:s)?|launches|ships?|marry|marries|demo|call|visit|check-?up|scan|birthday)\b"
)
_FOR_AN_OCCASION = re.compile(
    rf"\b(?:for|to)\s+(?:the|an?|my|our|your|his|her|their)\s+(?:\w+\s+)?{_OCCASION.pattern}",
    re.IGNORECASE,
)
_EACH_YEAR = pattern(
    r"\b(?:(?:birthday|anniversary)(?!\s+(?:party|dinner|trip|meal|lunch|weekend))|born)\b"
)
# After these what "to" leads to was done then, or was not: "I managed to leave on 3 March". After
# others it was still to come: "they asked me to leave on 3 March"; of a wish, nobody knows.
_DONE_TO = frozenset(
    {"had", "used", "got", "began", "started", "continued", "managed", "failed", "happened"}
    | {"went", "came", "ran", "rode", "drove", "flew", "forgot", "did", "stopped", "returned"}
)
_WISHED = frozenset({"wanted", "meant", "hoped", "needed", "tried", "supposed", "was", "were"})
_OBJECT = (
    "(?:me|us|him|her|them|it|you|my|our|your|his|their|the|a|an|this|that|out|up|off|back|away|over"
    "|down)"
)
# "To move out" is what is to be done, "to move" most likely; "to school" and "to manager" are not.
_TO_DO = re.compile(
    rf"\s+(?:\w+\s+)?(?:not\s+)?to\s+(?:(?P<sure>{_VERB}|[a-z]+\s+{_OBJECT})\b"
    r"|(?!(?:the|an?|my|our|your|his|her|its|their|this|that|work|school|hospital|court|church"
    r"|prison|jail|college|university|town|camp|bed|class)\b)[a-z]+?(?P<role>[eo]r|ist)?\s+"
    r"(?:(?:on|by|from|until|in)\s+)?(?:the\s+)?$)"
)
# After a noun: "a job starting on 3 March", unlike "started working on 3 March". Those left out are
# nouns themselves.
_GERUND = pattern(
    rf"(?:\s+[\w'’,]+){{1,8}}?\s+{_NO_ADJECTIVE}(?!(?:during|meeting|wedding|hearing|viewing|training"
    r"|fitting|screening|opening|outing|gathering|christening|building|spring|morning|evening"
    r"|\w*thing|ring|king)\b)\w{2,}ing\b"
)
_PASSIVE = pattern(
    r"(?:\b(?:am|is|are|(?P<was>was|were)|be|been|being|got|gets?)\s+|^\s*)"
    r"(?:\w+ly\s+|not\s+|now\s+)?$"
)
_WAS_MOVED = pattern(
    rf"\b(?:be|been|being|is|are|was|were|got)\s+{_BETWEEN}(?:\w+ed|{_EITHER})(?:\s+\w+)?\s+$"
)
_LEADS = pattern(
    r"\b(?P<word>since|to|for|until|till|from|by|before|after)\s+(?:(?:early|mid|late)[\s-]+)?$"
)
YEARS_AWAY = {"last": -1, "this": 0, "next": 1}
_A_YEAR = pattern(rf"\b(?:in\s+(?P<year>{YEAR})|(?P<away>last|this|next)\s+year)\b")
_SAYS_ON = pattern(r"on\b")
_RANGE = pattern(r"\bfrom\b[^.!?;]{1,30}\bto\s+$")
_ON_TO = pattern(r"\s+(?:to|until|till)\s+(?:the\s+)?[0-9]")
_MOVES_IT = pattern(r"\s+(?:the|my|our|your|his|her|their|its|it|this|that)\b")
# "5 May 2 euros" counts something, "5 May 10:30" does not.
_A_NUMBER_MORE = pattern(r"\s+[0-9]+\b(?!\s*[ap]\.?m\b|[:.][0-9])")
# Beside or among these stands a verb of the present: "the course starts", "I turn 40".
_MAY_BE_VERB = pattern(r"\b(?:i|you|we|he|she|it|they|who|that|which|\w{2,}(?<![su])s(?!['’]))\b")


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


def direction_at(text: str, start: int, end: int) -> Direction:
    """Which of the days that a span may name is meant. What was done looks back, what is planned
    or has not begun looks ahead; where neither the tense nor a preposition tells, the nearer one.
    """
    before, after = clause_around(text, start, end)
    leads = None if _SAYS_ON.match(text, start) else _LEADS.search(before)
    word = leads["word"].lower() if leads else ""
    if word == "since":
        return "back"
    markers = list(_MARKERS.finditer(before))
    marker = markers[-1] if markers else _MARKERS.search(after)
    if marker is None:
        return "ahead" if word or _MAY_BE_VERB.search(before + after) else "nearer"
    if _tense_of(marker) != "past":
        return "ahead"
    if not markers:
        return "back"
    return _after_a_past(word, before, marker, after)


def _after_a_past(word: str, before: str, marker: re.Match[str], after: str) -> Direction:
    """ "Pushed to 3 March" and "told to come on 3 March" look ahead, "came on 3 March" back."""
    rest = before[marker.end() :]
    passive = _PASSIVE.search(before[: marker.start()])
    moved = bool(passive or _MOVES_IT.match(rest))
    if word == "from" and _ON_TO.match(after):
        return "nearer" if moved else "back"
    if word == "to" and _RANGE.search(before):
        return "ahead" if moved else "back"
    if word in ("to", "for"):
        return "nearer" if word == "for" and passive and passive["was"] else "ahead"
    if word in ("until", "till") and passive:
        return "nearer"
    return _of_the_rest(marker[0].lower().split()[-1], rest, passive=bool(passive))


def _of_the_rest(verb: str, rest: str, *, passive: bool) -> Direction:
    """By what stands between a verb of the past and the date."""
    if _GERUND.match(rest) and verb not in ("was", "were", "been", "went"):
        return "nearer"
    if verb in _DONE_TO:
        return "back"
    to_do = _TO_DO.search(rest)
    if to_do and not (passive and to_do["role"]):
        return "ahead" if to_do["sure"] and verb not in _WISHED else "nearer"
    return "nearer" if _FOR_AN_OCCASION.search(rest) else "back"


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

    def direction(self, match: re.Match[str], group: str | int = 0) -> Direction:
        return direction_at(self.text, *match.span(group))

    def choose(self, days: Iterable[datetime], direction: Direction) -> datetime:
        """One of the days, of which some lie behind today and some ahead."""
        today = self.today
        if direction == "back":
            return max(day for day in days if day <= today)
        if direction == "ahead":
            return min(day for day in days if day >= today)
        return min(days, key=lambda day: (abs(day - today), day < today))

    def happens_once(self, match: re.Match[str]) -> bool:
        """Whether a day of the year is that of one year: not a habit, and no birthday."""
        span = match.span()
        if says_always(self.text, *span) or _A_NUMBER_MORE.match(self.text, match.end()):
            return False
        return not _holds(_EACH_YEAR, self.text, *span)

    def year_beside(self, match: re.Match[str]) -> int | None:
        """The only year that the clause of the match names: "last year we met on 3 March"."""
        parts = clause_around(self.text, *match.span())
        years = [year for part in parts for year in _A_YEAR.finditer(part)]
        if len(years) != 1:
            return None
        if years[0]["year"]:
            return int(years[0]["year"])
        return self.said_at.year + YEARS_AWAY[years[0]["away"].lower()]

    def is_moved(self, match: re.Match[str]) -> bool:
        """Whether a passive stands right before the match: "it was put off to June"."""
        return self.follows(match, _WAS_MOVED)

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
