"""Of whom or what a statement speaks, and what it says of it. Pure, English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.write.statements.wording import Statement

# Of these a person commonly has more than one.
SEVERAL = (
    r"(?:sister|brother|son|daughter|kid|child|friend|best friend|colleague|coworker|co-worker"
    r"|cousin|aunt|uncle|neighbou?r|nephew|niece|roommate|flatmate|housemate|teammate|client"
    r"|customer|student|grandson|granddaughter|grandmother|grandfather|grandma|grandpa)"
)
ONLY_ONE = (
    r"(?:mother|mom|mum|father|dad|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?"
    r"|boss|manager|landlord|landlady|supervisor|parents|family|mother-in-law|father-in-law)"
)
PETS = r"(?:cat|dog|pet|horse|rabbit|parrot|hamster|puppy|kitten|fish|bird|turtle|tortoise)"
PERSON = rf"(?:(?:older |younger |elder |little |big |twin |step-?|half-?)?{SEVERAL}|{ONLY_ONE})"

_VERB = (
    r"(?:is|was|has|lives?|lived|works?|worked|moved|likes?|loves?|hates?|prefers?|studies|got"
    r"|had|turned|started|quit|left|joined|eats?|drinks?|plays?|speaks?|wants?|needs?|can|does"
    r"|will|used|died|became|owns?|drives?|uses?|goes|resides?|and i|just|now|still|never|no"
    r"|recently|retired|smokes?|enjoys?|dislikes?|switched|changed|relocated)"
)
_KIN = re.compile(
    rf"^(?:my|our) (?P<kin>{PERSON}|{PETS}),? (?:(?P<name>(?!{_VERB}\b)[\w-]+),?"
    rf" )?(?P<rest>{_VERB}\b.*)$",
    re.I,
)
_NAME_FIRST = re.compile(
    rf"^(?P<name>[\w-]+),? (?:who is )?(?:my|our) (?P<kin>{PERSON}"
    rf"|{PETS}),? (?P<rest>{_VERB}\b.*)$",
    re.I,
)
_NAMED = re.compile(rf"^(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?) (?P<rest>(?:{_VERB})\b.*)$")
_PRONOUNS = (
    "you the this that my our his her their never always it there we everyone nobody people user "
    "no who what today yesterday"
)
_NO_NAME = frozenset(_PRONOUNS.split())
_SELF = re.compile(r"^(?:i|we)\b,? ?", re.I)


@dataclass(frozen=True)
class Subject:
    """`name` is "i", "my sister maria", "maria" or "" where nobody is spoken of.

    `certain` is true where one subject of that name can be meant only: oneself, a wife,
    a named sister; false for "my sister" and for a bare "Maria".
    """

    name: str
    predicate: str
    certain: bool

    @property
    def key(self) -> str:
        """The last word of the name where there is one: "my sister maria" and "maria" meet."""
        return self.name if self.name.startswith("my ") and not self._is_named else self._last

    @property
    def _is_named(self) -> bool:
        return re.fullmatch(rf"my (?:{PERSON}|{PETS})", self.name) is None

    @property
    def _last(self) -> str:
        return self.name.rsplit(" ", 1)[-1]


def subject_of(statement: Statement) -> Subject:
    """Of whom `statement.plain` speaks; the predicate has its adverbs and negation taken out."""
    plain, said = statement.plain, statement.said
    if _SELF.match(plain):
        return Subject("i", _SELF.sub("", plain), certain=True)
    if match := _KIN.match(plain) or _NAME_FIRST.match(plain):
        kin, name = match["kin"], match["name"]
        only = re.fullmatch(ONLY_ONE, kin) is not None
        return Subject(
            f"my {kin} {name}" if name else f"my {kin}", match["rest"], bool(name) or only
        )
    named = _NAMED.match(said)
    if named and named["name"].lower() not in _NO_NAME:
        name = named["name"].lower()
        return Subject(name, plain.removeprefix(name).strip(), certain=False)
    return Subject("", plain, certain=False)


def same_subject(one: str, other: str) -> bool:
    """Whether the two can be one: "maria" is "my sister maria", "my friend maria" is not."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and shorter != "i" and longer.endswith(f" {shorter}")
