"""What a question asks for, read from its words alone. Pure functions, English."""

from __future__ import annotations

import re

_FIRST_PERSON = re.compile(
    r"\b(i|i['’](?:m|ve|d|ll)|my|me|mine|myself|we|we['’](?:re|ve|ll|d)|our|ours|us)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NUMBER = re.compile(
    r"^\s*when\b|\bhow (?:many|much|long|old|often|far|big|tall|high|late|early)\b"
    r"|\b(?:what|which) (?:time|day|year|month|size|dose|age|price)\b"
    r"|\b(?:number|date|birthday|anniversary|deadline|dosage|password|pin)\b",
    re.IGNORECASE,
)
_HOLDS_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|"
    r"thousand|mon|tues|wednes|thurs|fri|satur|sun|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|daily|weekly|monthly|every|once|twice|easter|"
    r"christmas|spring|summer|autumn|winter|morning|evening|weekend)(?:day)?s?\b",
    re.IGNORECASE,
)


def is_personal(query: str) -> bool:
    """Whether the question speaks of the one who asks ("my", "we"); general knowledge does not."""
    return _FIRST_PERSON.search(query) is not None


def asks_for_number(query: str) -> bool:
    """Whether the answer would be a number, a date or a time."""
    return _ASKS_FOR_NUMBER.search(query) is not None


def holds_number(text: str) -> bool:
    """Whether there is a digit, a number word, or a word for a day, a month or a season."""
    return _HOLDS_NUMBER.search(text) is not None
