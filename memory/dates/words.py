"""The English words of time, as pieces of patterns. Data, no decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory.dates.periods import MONTHS, SEASONS

MONTH_NUMBERS = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
MONTH_NUMBERS |= {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
MONTH_NUMBERS["sept"] = 9
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_NUMBERS = {name: number for number, name in enumerate(_WEEKDAYS)}
# Neither "Sat" nor "Sun" is a short form here: both are ordinary words.
WEEKDAY_NUMBERS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3}
WEEKDAY_NUMBERS["fri"] = 4
# Ordinary words too, so that only the spelling of a name counts where nothing else tells.
NOT_ONLY_DATES = frozenset({"may", "march", "mar", "august", "mon", "wed", "jan", "dec", "sept"})

_NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS, start=1)}
NUMBERS |= {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50, "ninety": 90}
# How much a vague word counts for; what is read from it is only said to be around then.
VAGUE_NUMBERS = {"couple": 2, "few": 3, "several": 3}


def one_of(words: Iterable[str]) -> str:
    """A group of alternatives, the longest first."""
    return f"(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})"


A_MONTH = frozenset(MONTH_NUMBERS)
A_WEEKDAY = frozenset(WEEKDAY_NUMBERS)
A_SEASON = frozenset(SEASONS)
A_NUMBER = frozenset({"0"})
A_LONG_UNIT = frozenset({"day", "week", "fortnight", "month", "year", "decade"})
A_UNIT = A_LONG_UNIT | {"minute", "hour"}
MONTH = one_of(A_MONTH)
WEEKDAY = one_of(A_WEEKDAY)
SEASON = one_of(A_SEASON)
LONG_UNIT = one_of(A_LONG_UNIT)
UNIT = one_of(A_UNIT)
PART = "(?:morning|afternoon|evening|night)"
YEAR = "(?:(?:19|20)[0-9]{2})"
NUMBER = rf"(?:[0-9]{{1,3}}|(?:a\s+)?(?:couple|few)(?:\s+of)?|several|{one_of(NUMBERS)})"
# After one of these a date needs no other preposition: "since last Friday", "by 2030".
GOVERNING = (
    r"(?:in|since|until|till|by|before|after|from|for|of|to|through|between|around|about|circa"
    r"|during|within|over|starting|beginning)"
)
IS = r"\s+(?:is|was|will|has|isn['’]t|wasn['’]t|would)\b|['’]s\s+(?:a|the|my|our|been|not)\b"
CLAUSE_END = r"(?=\s*(?:[.,;:!?)]|$))"


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# Letters that a pattern takes for others where case does not matter.
_TAKEN_FOR = str.maketrans({"ſ": "s", "İ": "i", "ı": "i", "\N{KELVIN SIGN}": "k"})
_WORD = re.compile(r"[a-z]+")
_DIGIT = re.compile(r"[0-9]")


def words_in(text: str) -> frozenset[str]:
    """The words of a text in small letters, and "0" where it has any digit."""
    words = _WORD.findall(text.translate(_TAKEN_FOR).lower())
    return frozenset(words) | A_NUMBER if _DIGIT.search(text) else frozenset(words)


def number_of(words: str) -> tuple[int, bool]:
    """How many, and whether that is only about so many."""
    for word in words.lower().split():
        if word in VAGUE_NUMBERS:
            return VAGUE_NUMBERS[word], True
    return (int(words), False) if words.isdigit() else (NUMBERS[words.lower()], False)


def is_name(word: str) -> bool:
    """Whether the word can only be a name of the calendar as it is spelt: "May", not "may"."""
    return word.lower() not in NOT_ONLY_DATES or word.istitle()
