"""How a question is put: whether it looks back, and what of it the time belongs to. By words."""

from __future__ import annotations

from memory.dates.tense import Tense, tense_at
from memory.dates.words import YEAR, pattern

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


def tense_of(question: str, start: int, end: int) -> Tense:
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


def asks_what_lasted(question: str) -> bool:
    """Whether it asks for what was so for a while: where one lived, what one's job was."""
    return _LASTING.search(question) is not None


def asks_for_state(question: str) -> bool:
    """The same in every tense, and more willingly."""
    return asks_what_lasted(question) or _STATE.search(question) is not None


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


def bare_start(text: str, start: int, end: int) -> int:
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
