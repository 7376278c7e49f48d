"""Whom somebody is with, and whether they are married. Pure, English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.write.statements.slot import Found
from memory.write.statements.subjects import Subject
from memory.write.statements.wording import Statement

_STATUS = re.compile(
    r"^(?:am|is|got|get|became)(?: (?:to be|happily|newly|recently|getting|a))?"
    r" (?P<status>single|married|engaged|divorced|widow(?:ed|er)?|separated|in a relationship)"
    r"(?: (?:to|from) (?P<who>[\w-]+))?\b"
)
_MARRIED = re.compile(r"^(?:have )?married (?P<who>(?!a |the )[\w-]+)$")
_DATING = re.compile(
    r"^(?:am|is|started|have been)? ?(?:dating|seeing|going out with|in a relationship with)"
    r" (?:an? (?:\w+ )?(?:guy|girl|man|woman|boy|person) (?:called|named) )?"
    r"(?P<who>(?!(?:an?|the|my|our) )[\w-]+)"
)
_APART = re.compile(
    r"^(?:(?P<who>[\w-]+) and i |i )?(?:broke up|split(?: up)?|separated|are over|parted ways)"
    r"(?: (?:with|from) (?P<ex>my \w+|[\w-]+))?$"
)
_LEFT_ME = re.compile(r"^(?P<who>[\w-]+) (?:dumped me|left me|broke up with me|is my ex)$")
_WITH = re.compile(r"^am with (?P<who>[a-z-]+)$")
_BELOVED = r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)"
_TOGETHER = re.compile(
    r"^(?:my (?P<kin>\w+)|(?P<who>[\w-]+)) and i (?:(?:have|are|am|just) )*(?:got(?:ten)? "
    r"|getting |be )?"
    r"(?P<status>married|engaged|divorced|separated|dating|together)\b(?P<rest>.*)$"
)
_PARTNER_LAST = re.compile(rf"^(?P<who>[a-z-]+) is my (?P<kin>{_BELOVED})$")
_MY_PARTNER = re.compile(
    rf"^(?:my|i have an?) (?P<kin>{_BELOVED})(?:'s name)? ?(?:is |is called |is named |called "
    rf"|named )"
    r"(?P<who>[a-z-]+)$"
)
_KIN_STATUS = {
    "wife": "married",
    "husband": "married",
    "spouse": "married",
    "girlfriend": "dating",
    "boyfriend": "dating",
    "partner": "together",
}


def speaks_of_partner(plain: str) -> bool:
    """Whether it is said of oneself, though another word comes first: "my wife is Anna"."""
    return bool(_TOGETHER.match(plain) or _LEFT_ME.match(plain) or _my_partner(plain))


def partner_of(statement: Statement, subject: Subject) -> Iterator[Found]:
    """The aspects "partner" and "status" of the slot "partner"."""
    if match := _APART.match(statement.plain) or _APART.match(subject.predicate):
        who = match["who"] or match["ex"] or ""
        yield from _parted(who)
    elif match := _LEFT_ME.match(statement.plain):
        yield "partner", "partner", match["who"], True, ""
    elif match := _TOGETHER.match(statement.plain):
        if match["who"] and match["status"] not in ("divorced", "separated"):
            yield "partner", "partner", match["who"], False, match["rest"]
        yield "partner", "status", match["status"], False, match["rest"]
    elif match := _my_partner(statement.plain):
        yield "partner", "partner", match["who"], False, ""
        yield "partner", "status", _KIN_STATUS.get(match["kin"], "engaged"), False, ""
    elif subject.name:
        yield from _status(subject.predicate)


def _my_partner(plain: str) -> re.Match[str] | None:
    return _MY_PARTNER.match(plain) or _PARTNER_LAST.match(plain)


def _parted(who: str) -> Iterator[Found]:
    if not who or who.startswith("my "):
        yield "partner", "status", "dating", True, ""
        yield "partner", "partner", "", True, ""
    else:
        yield "partner", "partner", who, True, ""


def _status(predicate: str) -> Iterator[Found]:
    if match := _STATUS.match(predicate):
        rest = predicate[match.end() :]
        if match["who"] and "from" not in match[0]:
            yield "partner", "partner", match["who"], False, rest
        status = {"widow": "widowed", "widower": "widowed", "in a relationship": "together"}
        yield "partner", "status", status.get(match["status"], match["status"]), False, rest
    elif match := _MARRIED.match(predicate):
        yield "partner", "partner", match["who"], False, ""
        yield "partner", "status", "married", False, ""
    elif match := _DATING.match(predicate):
        yield "partner", "partner", match["who"], False, ""
        yield "partner", "status", "dating", False, ""
    elif match := _WITH.match(predicate):
        yield "partner", "partner", match["who"], False, ""
        yield "partner", "status", "together", False, ""
    elif match := re.match(rf"^have an? (?P<kin>{_BELOVED})\b", predicate):
        yield "partner", "status", _KIN_STATUS.get(match["kin"], "engaged"), False, ""
