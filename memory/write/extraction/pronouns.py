"""Who "she", "he" and "it" are, where the message leaves no doubt. Pure, English."""

from __future__ import annotations

import re

from memory.write.extraction.words import CAPITAL, KIN, KIND, MY_PERSON, PET, SOCIAL, THING

_FEMALE = (
    r"(?:mother|mom|mum|mama|mommy|mummy|sisters?|daughter|wife|girlfriend|fianc[eé]e|grandmother"
    r"|grandma|granny|nana?|aunt(?:ie)?|niece|godmother|landlady|stepmother|stepsister|midwife)"
)
_MALE = (
    r"(?:father|dad|daddy|papa|brother|son|husband|boyfriend|fianc[eé]|grandfather|grandpa|uncle"
    r"|nephew|godfather|stepfather|stepbrother)"
)
_NAMED = re.compile(
    rf"\b(?P<who>(?:{MY_PERSON}|(?:my|our) (?:new |old )?{THING}\b)(?:,? "
    rf"(?P<name>{CAPITAL}\w+))?)(?!'s)\b",
    re.IGNORECASE,
)
_HAVING = re.compile(
    r"\b(?:I|we)(?:'ve| have|'ve got| (?:just |recently )?(?:bought|got|adopted|own"
    r"|drive)) (?:got )?"
    rf"(?:an?|one|two|three) (?:(?!and\b)\w+ ){{0,2}}?(?P<noun>(?:{KIND} )?(?:{KIN}|{SOCIAL}"
    rf"|{PET}|{THING}))\b(?:,? (?:called|named)?\s*(?P<name>{CAPITAL}\w+))?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"^(?:and |but |also )?(?P<it>she|he|they|it|her|his|their|its)(?=\b|')", re.IGNORECASE
)
_SHORTENED_IS = re.compile(r"^'s (?!been|got|had)")
_OWNING = {"her", "his", "their", "its"}


class Antecedents:
    """Who has been spoken of in a message so far; forgets where it would have to guess."""

    def __init__(self) -> None:
        self._last: str | None = None
        self._doubt = False

    def resolve(self, clause: str) -> str:
        """ "She is a nurse" → "My sister Maria is a nurse", or the clause as it was."""
        match = _PRONOUN.match(clause)
        if match is None or self._last is None or self._doubt:
            return clause
        pronoun = match["it"].lower()
        if not _fits(pronoun, self._last):
            return clause
        who = self._last[0].upper() + self._last[1:]
        rest = clause[match.end() :]
        if pronoun in _OWNING:
            return f"{who}'s{rest}"
        return who + _SHORTENED_IS.sub(" is ", rest)

    def hear(self, clause: str) -> None:
        """Takes note of the one person, animal or thing that the clause is about."""
        found = {match["who"] for match in _NAMED.finditer(clause)}
        found |= {_mine(match) for match in _HAVING.finditer(clause)}
        if found:
            self._doubt = len(found) > 1
            self._last = next(iter(found))


def _mine(match: re.Match[str]) -> str:
    name = match["name"]
    return f"my {match['noun']}" + (f" {name}" if name and name[0].isupper() else "")


def _fits(pronoun: str, who: str) -> bool:
    female = re.search(rf"\b{_FEMALE}\b", who, re.IGNORECASE) is not None
    male = re.search(rf"\b{_MALE}\b", who, re.IGNORECASE) is not None
    thing = re.search(rf"\b(?:{THING}|{PET}|company|team|band)\b", who, re.IGNORECASE) is not None
    if pronoun in {"it", "its"}:
        return thing
    if pronoun in {"she", "her"}:
        return not male and not _is_thing(who)
    if pronoun in {"he", "his"}:
        return not female and not _is_thing(who)
    return not (female or male)


def _is_thing(who: str) -> bool:
    return re.search(rf"\b{THING}$", who, re.IGNORECASE) is not None
