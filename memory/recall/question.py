"""What a question asks for, read from its words alone. Pure functions, English."""

from __future__ import annotations

import re

from memory.embedders.protocol import QUERY_CHARACTERS, cut_query
from memory.first_person import as_first_person
from memory.secrets import redact
from memory.text import readable, storable

_FIRST_PERSON = re.compile(
    r"\b(i|i['’](?:m|ve|d|ll)|my|me|mine|myself|we|we['’](?:re|ve|ll|d)|our|ours|us)\b",
    re.IGNORECASE,
)
_ASKS_OR_ORDERS = re.compile(
    r"\?\s*$|^\s*(?:who|what|which|when|where|why|how|whose|can|could|do|does|did|is|are|was|were|"
    r"will|would|should|write|explain|translate|tell|give|convert|summari[sz]e|draft|compose|"
    r"define)\b",
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
# Twice what is searched for: looking for secrets takes a millisecond for some thousand characters.
_LOOKED_AT = 2 * QUERY_CHARACTERS
_LOGGED = 2_000
_APOSTROPHE = re.compile("['’]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NO_NAME = re.compile(
    r"i|what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|am|was|were|will|would|"
    r"should|shall|can|could|have|has|had|may|might|the|a|an|and|or|but|if|so|please|tell|"
    r"remind|show|give",
    re.IGNORECASE,
)


def as_searched(query: str) -> str:
    """The question as both legs take it: readable, without its secrets, of 8,192 characters at
    most, and speaking of "I" where it began with "the user", as a model's questions do.

    Nothing else of a question is embedded or cached, but for parts of it. It is cut after its
    secrets are out, so that none is cut in two and missed; of a far longer one the end is dropped
    before.
    """
    return as_first_person(cut_query(redact(readable(storable(query), _LOOKED_AT))))


def as_logged(query: str) -> str:
    """What the log's fingerprint is made of: the beginning of the question, without its secrets."""
    return redact(query[:_LOGGED])


def is_personal(query: str) -> bool:
    """Whether it may be about the one who asks: it says "my" or "we", or it does not ask or order
    anything, as a bare phrase or a statement."""
    return _FIRST_PERSON.search(query) is not None or _ASKS_OR_ORDERS.search(query) is None


def without_names(query: str) -> str | None:
    """The question with "they" for each name in it, or None where it names nobody.

    A name is a capitalised word that does not begin the question and is no question
    word. How much a memory's cosine falls without the names tells a memory that
    answers from one that only speaks of the same person.
    """
    names = {
        name
        for match in _WORD.finditer(query)
        if match.start() > 0 and (name := _APOSTROPHE.split(match[0])[0])[0].isupper()
        if not _NO_NAME.fullmatch(name)
    }
    if not names:
        return None
    either = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"\b(?:{either})\b", "they", query)


def asks_for_number(query: str) -> bool:
    """Whether the answer would be a number, a date or a time."""
    return _ASKS_FOR_NUMBER.search(query) is not None


def holds_number(text: str) -> bool:
    """Whether there is a digit, a number word, or a word for a day, a month or a season."""
    return _HOLDS_NUMBER.search(text) is not None
