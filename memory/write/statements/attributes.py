"""What is said of something of somebody's: my favourite colour, my boss, my sister's car. Pure."""

from __future__ import annotations

import re

from memory.write.statements.slot import Slot
from memory.write.statements.subjects import ONLY_ONE, PERSON, PETS, SEVERAL
from memory.write.statements.wording import Statement, stems_of

_ATTRIBUTE = re.compile(
    r"^(?P<owner>my|our|the|(?:my |our )?[\w -]+?'s) (?P<attr>[\w-]+(?: [\w-]+){0,3}?)"
    r"(?P<called>'s name)?(?: (?:has|have))?"
    r" (?:(?:is|are|was changed|changed|became|switched|went up|went down|rose|fell|increased"
    r"|was raised|was cut"
    r"|dropped)(?: called| named)?"
    r"(?: from .+? to| to| for| into)?|called|named) (?P<value>.+)$"
)
_FAVOURITE_LAST = re.compile(
    r"^(?P<value>[\w' -]+?) (?:is|are|became) (?P<owner>my|our|(?:my )?[\w -]+?'s)"
    r" (?P<attr>favou?rite [\w -]+)$"
)
_ROLE_LAST = re.compile(
    rf"^(?P<value>[\w'-]+(?: [\w'-]+)?) (?:is|became) (?P<owner>my|our) (?P<attr>{ONLY_ONE}"
    rf"|{PETS})$"
)
_HAVE_NAMED = re.compile(
    rf"^i have an? (?P<attr>{PETS}|{PERSON})(?:,)? (?:called|named"
    rf"|whose name is)? ?(?P<value>[\w-]+)$"
)
_HAVE_NUMBER = re.compile(r"^i have (?P<value>\d+) (?P<attr>[\w -]+)$")
_DRIVE = re.compile(r"^i drive an? (?P<value>[\w -]+)$")
_WEIGH = re.compile(r"^i (?P<attr>weigh|earn) (?P<value>\W?\d[\w., ]*)$")
_ONE_WORDS = (
    "name phone email address birthday weight height salary rent budget timezone job employer"
    " company nationality commute landlord boss manager password birthplace hometown surname"
    " nickname occupation profession title"
)
_ALWAYS_ONE = frozenset(_ONE_WORDS.split())
_RENAMED = {
    "phone number": "phone",
    "mobile number": "phone",
    "cell number": "phone",
    "cell phone number": "phone",
    "mobile phone number": "phone",
    "telephone number": "phone",
    "number": "phone",
    "email address": "email",
    "e-mail": "email",
    "e-mail address": "email",
    "mail address": "email",
    "time zone": "timezone",
    "home address": "address",
    "full name": "name",
    "first name": "name",
    "date of birth": "birthday",
}
_WORK = {
    "job": "job",
    "job title": "job",
    "occupation": "job",
    "profession": "job",
    "title": "job",
    "employer": "employer",
    "company": "employer",
    "workplace": "employer",
}


def attribute_slots(statement: Statement) -> list[Slot]:
    """One slot at most, as "i/favourite:colour", "i/phone", "sister's/favourite:colour"."""
    plain = statement.plain
    if match := _FAVOURITE_LAST.match(plain) or _ROLE_LAST.match(plain) or _ATTRIBUTE.match(plain):
        return _attribute(statement, match)
    if match := _HAVE_NAMED.match(plain):
        value, attr = match["value"], match["attr"]
        capital = re.search(rf"\b{re.escape(value)}\b", statement.said.lower())
        named = capital is not None and statement.said[capital.start()].isupper()
        return [_naming(statement, "my", attr, value)] if named else []
    if match := _HAVE_NUMBER.match(plain):
        return [
            _slot(statement, "my", "number:" + " ".join(stems_of(match["attr"])), match["value"])
        ]
    if match := _DRIVE.match(plain):
        return [_slot(statement, "my", "car", match["value"], single=False)]
    if match := _WEIGH.match(plain):
        return [_slot(statement, "my", match["attr"], match["value"])]
    return []


def _attribute(statement: Statement, match: re.Match[str]) -> list[Slot]:
    owner, attr, value = match["owner"], match["attr"], match["value"]
    attr = _RENAMED.get(attr, attr)
    person = re.fullmatch(rf"(?:{PERSON}|{PETS})", attr)
    parts = re.fullmatch(rf"my (?P<kin>{PERSON}|{PETS})'s", owner)
    if parts and attr == "name":
        return [_naming(statement, "my", parts["kin"], value)]
    if person:
        named = "called" in match[0] or "named" in match[0] or _is_name(statement, value)
        return [_naming(statement, owner, attr, value)] if named else []
    if attr in _WORK:
        return [_slot(statement, owner, "work", value, aspect=_WORK[attr])]
    if attr.startswith(("favourite ", "favorite ", "preferred ")):
        kind = "prefer:" if attr.startswith("preferred") else "favourite:"
        return [_slot(statement, owner, kind + " ".join(stems_of(attr)[1:]), value)]
    if attr == "phone" and not re.search(r"\d{3}", value):
        attr = "telephone"
    name = attr if attr in (*_ALWAYS_ONE, "car") else f"my:{attr}"
    if attr.split()[-1] in _ALWAYS_ONE or attr.split(maxsplit=1)[0] in _ALWAYS_ONE:
        return [_slot(statement, owner, name, value)]
    nominal = re.match(r"(?:an?|the) |\d", value) or _is_name(statement, value)
    return [_slot(statement, owner, name, value, single=False)] if nominal else []


def _naming(statement: Statement, owner: str, attr: str, value: str) -> Slot:
    """Who or what somebody's cat, boss or sister is; a second sister is no contradiction."""
    name = "kin:" + attr if re.search(SEVERAL, attr) else "named:" + attr
    only = re.fullmatch(ONLY_ONE, attr) is not None
    return _slot(statement, owner, name, value, single=only)


def _is_name(statement: Statement, value: str) -> bool:
    first = value.split(maxsplit=1)[0].removesuffix("'s")
    return first in statement.names or statement.said.startswith(first.capitalize())


def _slot(
    statement: Statement,
    owner: str,
    name: str,
    value: str,
    *,
    aspect: str = "",
    single: bool = True,
) -> Slot:
    whose = "i" if owner in ("my", "our") else owner.removesuffix("'s")
    return Slot(
        name,
        whose,
        value,
        owner=whose if whose.startswith("my ") else whose.rsplit(" ", 1)[-1],
        aspect=aspect,
        single=single and not statement.also,
        outright=statement.changed,
        negated=statement.negated,
        history=statement.history,
        certain=True,
    )
