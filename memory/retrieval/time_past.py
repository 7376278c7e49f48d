"""Whether a question wants what was true before, and has been replaced since. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from memory.dates import SpokenDate, find_dates
from memory.dates.calendar import pattern
from memory.dates.tense import tense_at
from memory.retrieval.time_windows import (
    LONGEST_QUESTION,
    asks_what_lasted,
    asks_what_was_known,
    asks_what_was_told,
    find_anchors,
    is_part_of_thing,
    skip_preposition,
)

_THINGS_OF_TIME = (
    r"(?:minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|quarter|time|today|meeting"
    r"|conversation|chat|session|messages?|questions?|answers?|e-?mails?(?!\s+address)|episodes?"
    r"|chapter|page|one)"
)
_OLD_PEOPLE = (
    r"(?:friends?|man|men|lady|woman|women|people|folks|parents?|mum|mom|mother|dad|father|town"
    r"|age|grand\w+|aunt|uncle|\w+\s+years?)"
)
_OWNER = r"(?:my|our|his|her|their|your|the|an|\w+['’]s)"
_LASTING_THING = (
    r"(?:job|employer|boss|manager|company|address|apartment|flat|house|home|landlord|landlady"
    r"|phone|mobile|number|car|bike|laptop|password|salary|position|role|title|surname|doctor"
    r"|dentist|therapist|gym|bank|diet|hairdresser|team|school|university|provider|subscription)"
)
_VISIT = r"(?:call|visit|appointment|bill|statement|meeting|payment|service|check|trip)"
_WHO = r"(?:i|we|you|he|she|they|(?:my|our|his|her|their)\s+\w+|[\w’'-]+)"
_ACCUSTOMED = (
    rf"(?:(?:am|is|are|was|were|get|got|gets|getting|gotten|be|been|become|became)\s+(?:{_WHO}\s+)?"
    r"(?:not\s+)?|\w+['’](?:m|s|re)\s+(?:not\s+)?)"
)
_USED_TO = pattern(rf"\b(?P<accustomed>{_ACCUSTOMED})?used\s+to\s+\w")
_SAID_SO = pattern(
    rf"\b(?:did|didn['’]t)\s+{_WHO}\s+(?:\w+ly\s+)?use\s+to\b"
    r"|\b(?:formerly|previously|once\s+upon\s+a\s+time|back\s+then|in\s+those\s+days|back\s+when"
    r"|in\s+the\s+old\s+days|initially|at\s+first|to\s+begin\s+with"
    r"|originally(?!\s+from\b))\b"
    r"|\bin\s+the\s+past\b(?!\s+(?:\w+\s+){0,2}(?:minutes?|hours?|days?|weeks?|months?|years?))"
)
_OLD_THING = pattern(
    rf"\b(?:{_OWNER}\s+)?(?:previous|former)\s+(?!(?:\w+\s+)?{_THINGS_OF_TIME}\b)\w"
    rf"|\b{_OWNER}\s+(?:very\s+)?(?:old|prior|earlier|original)\s+"
    rf"(?!(?:\w+\s+)?{_THINGS_OF_TIME}\b)(?!{_OLD_PEOPLE}\b)\w"
    rf"|\b{_OWNER}\s+last\s+(?:\w+\s+)?{_LASTING_THING}\b(?!['’]s)(?!\s+{_VISIT}\b)"
    rf"|\bex[- ]{_LASTING_THING}\b"
)
_EARLIER = pattern(
    r"\b(?:was|were|did|had|lived|worked)\b.*\b(?:earlier|before)\b"
    r"(?=\s*(?:[?.!,;]|$)|\s+(?:that|this|then|now)\s*(?:[?.!,;]|$))"
)
_FROM_WHAT = pattern(
    r"\b(?:did|have|has)\b.*\b(?:switch|move|change|migrate)d?\s+(?:\w+\s+){0,2}?from\b"
)
_ALL_OF_THEM = pattern(
    r"(?<!how\slong\s)\b(?:have|has)\s+(?:i|we)\s+(?:ever\s+)?(?:lived|worked|owned|driven|rented)\b"
    r"(?!.*\b(?:today|this\s+(?:week|morning)|yesterday)\b)"
)
_WHILE = pattern(
    r"\b(?:when|while)\s+(?:i|we)\s+(?:(?:was|were)\s+(?:still\s+)?(?:living|working|studying|at\s"
    r"|in\s|with\s)|still\s+\w|lived|worked|studied)\b"
)
_LIVED = pattern(rf"\bwhere\s+did\s+{_WHO}\s+(?:live|work(?:\s*[?.!]*$))\b")
_HAPPENS = pattern(
    r"\b(?:happened|happen)\b|\b(?:day|night|week|month|year|evening)\s+before\b|\bdid\s+\w+\s+(?:do|go|buy|meet|say|see|eat|get|make|visit|decide)\b"
)
_AS_OF = pattern(r"\bas\s+(?:of|at)\b(?!\s+(?:now|today|this\s+(?:moment|morning|week)|yet)\b)")
_BEFORE = pattern(r"\bbefore\s+(?!breakfast|lunch|dinner|bed|work)\w")
_LONG_GRAINS = ("month", "year")
# Which one is the same for whether there is a date.
_SOME_MOMENT = datetime(2000, 6, 15, 12, tzinfo=UTC)


def asks_about_past(question: str) -> bool:
    """Whether replaced versions may answer it: "my old job", "where did I live before", "what was
    my salary in 2020". Not every past tense: what was bought last week is true still."""
    if len(question) > LONGEST_QUESTION:
        return False
    if _says_so(question):
        return True
    if asks_what_was_known(question):
        return _has_long_date(question)
    if asks_what_was_told(question):
        return False
    if _EARLIER.search(question):
        return _HAPPENS.search(question) is None
    return _lasted_then(question)


def _says_so(question: str) -> bool:
    used_to = _USED_TO.search(question)
    if used_to is not None and not used_to["accustomed"]:
        return True
    ways = (_SAID_SO, _OLD_THING, _FROM_WHAT, _ALL_OF_THEM, _AS_OF, _WHILE, _LIVED)
    return any(words.search(question) for words in ways)


def _lasted_then(question: str) -> bool:
    """Whether it asks for what was so in a year or month, or before an event."""
    if any(anchor.relation == "before" for anchor in find_anchors(question)):
        return _HAPPENS.search(question) is None
    if not asks_what_lasted(question):
        return False
    return _BEFORE.search(question) is not None or _has_long_date(question)


def _has_long_date(question: str) -> bool:
    """A month or a year that is over; that of "this year" is not."""
    return any(
        date.grain in _LONG_GRAINS
        and not question[date.start : date.end].lower().startswith("this ")
        and tense_at(question, date.start, date.end) == "past"
        and not _is_part_of_thing(question, date)
        for date in find_dates(question, _SOME_MOMENT)
    )


def _is_part_of_thing(question: str, date: SpokenDate) -> bool:
    core = skip_preposition(question, date.start, date.end)
    return is_part_of_thing(question[:core], question[core : date.end])
