"""What is said of a person: home, age, name, work, partner, diet, favourites. Pure, English.

Each reader looks at the predicate of a statement, which has its negation and adverbs taken out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.write.statements.attributes import attribute_slots
from memory.write.statements.diet import diet_of
from memory.write.statements.kinds import kind_of
from memory.write.statements.partners import partner_of, speaks_of_partner
from memory.write.statements.places import is_place
from memory.write.statements.slot import Found, Slot
from memory.write.statements.subjects import Subject
from memory.write.statements.wording import Statement, stems_of
from memory.write.statements.working import work_of

_END = re.compile(
    r",|;|\.(?!\d)|\b(?:and|but|with|because|since|when|where|near|which|so|after|before|while"
    r"|as of"
    r"|last|next|this|for (?:the|a|my|over|about|almost|many|\d+|two|three|four|five|ten) ?"
    r"|in (?=\d{4}|january|february|march|april|may|june|july"
    r"|august|september|october|november|december)|on)\b"
)
_HOME = re.compile(
    r"^(?:have |has |am |is )?(?:lives?|lived|living|resides?|residing|based|moved|relocated"
    r"|settled)\b(?: down| back| over| house)*(?: from (?P<old>.+?))?(?: out of| in| at| to"
    r"| away from)"
    r" (?P<value>.+)$"
)
_HOME_AFTER = re.compile(
    r"^(?:my home is (?:in )?(?P<one>.+)|(?P<two>[\w' -]+) is (?:where i live|my home(?: town)?"
    r"|home))$"
)
_AGE = re.compile(
    r"^(?:am|is|turned|turns|became|just turned) (?P<value>\d{1,3})(?: years? old| years?)?$"
    r"|^(?:am|is) (?P<value2>\d{1,3}) years? (?:old|of age)\b"
    r"|^turned (?P<value3>\d{1,3})\b"
)
_MY_AGE = re.compile(r"^my age is (?P<value>\d{1,3})$")
_CALLED = re.compile(r"^(?:go by|prefer to be called|want to be called) (?P<value>[\w' -]+)$")
_CALL_ME = re.compile(
    r"^call me (?P<value>(?!before|after|at|on|when|if|back|later|only|by)[\w' -]+)$"
)
_NAMED = re.compile(r"^(?:am|is) (?:called|named) (?P<value>[\w' -]+)$")
_BORN = re.compile(r"^(?:was|am|is) born (?P<how>in|on) (?P<value>.+)$")

_PREFER_FOR = re.compile(r"^prefers? (?P<value>.+?) (?P<use>(?:for|when|in|at|during) .+)$")
_PREFER_PAIR = re.compile(
    r"^prefers? (?P<one>.+?) (?:over|to|rather than|instead of|than) (?P<other>.+)$"
)
_PREFER = re.compile(r"^prefers? (?P<value>(?!to )[\w-]+(?: [\w-]+){1,2})$")


def trait_slots(statement: Statement, subject: Subject) -> list[Slot]:
    """What the statement fills in, all under one name; [] where it fills in nothing known."""
    if speaks_of_partner(statement.plain) or _HOME_AFTER.match(statement.plain):
        subject = Subject("i", "", certain=True)
    for reader in _READERS:
        found = list(reader(statement, subject))
        if found:
            return [_slot(statement, subject, each) for each in found]
    return attribute_slots(statement)


def _slot(statement: Statement, subject: Subject, found: Found) -> Slot:
    name, aspect, value, denied, rest = found
    return Slot(
        name,
        subject.name or "i",
        " ".join(value.split()),
        owner=subject.key or "i",
        aspect=aspect,
        single=not statement.also,
        outright=statement.changed,
        negated=statement.negated ^ denied,
        history=statement.history,
        certain=subject.certain or not subject.name,
        rest=frozenset(stems_of(rest)),
        before=_before(subject.predicate) if name == "home" else "",
    )


def until_end(text: str) -> tuple[str, str]:
    """A value up to the first word that begins something else, and that rest."""
    end = _END.search(text)
    return (text[: end.start()].strip(), text[end.start() :]) if end else (text.strip(), "")


def _home(statement: Statement, subject: Subject) -> Iterator[Found]:
    match = _HOME.match(subject.predicate) if subject.name else None
    if match is None:
        after = _HOME_AFTER.match(statement.plain)
        if after and is_place(value := after["one"] or after["two"]):
            yield "home", "", value, False, ""
        return
    value, rest = until_end(match["value"])
    if is_place(value) and (not match["old"] or is_place(match["old"])):
        away = re.search(r"\b(?:out of|away from)\b", subject.predicate) is not None
        yield "home", "", value, away, rest


def _before(predicate: str) -> str:
    match = _HOME.match(predicate)
    return (match["old"] or "") if match else ""


def _age(statement: Statement, subject: Subject) -> Iterator[Found]:
    match = _AGE.match(subject.predicate) if subject.name else None
    if match:
        value = match["value"] or match["value2"] or match["value3"]
        yield "age", "", value, False, subject.predicate[match.end() :]
    elif mine := _MY_AGE.match(statement.plain):
        yield "age", "", mine["value"], False, ""


def _name(statement: Statement, subject: Subject) -> Iterator[Found]:
    if subject.name == "i":
        if match := _NAMED.match(subject.predicate):
            yield "name", "", match["value"], False, ""
        elif match := _CALLED.match(subject.predicate):
            yield "called", "", match["value"], False, ""
    elif match := _CALL_ME.match(statement.plain):
        yield "called", "", match["value"], False, ""


def _born(_: Statement, subject: Subject) -> Iterator[Found]:
    match = _BORN.match(subject.predicate) if subject.name else None
    if match and match["value"][:1].isdigit() and match["how"] == "in":
        yield "birth year", "", match["value"], False, ""
    elif match:
        yield "born", match["how"], match["value"], False, ""


def _prefers(_: Statement, subject: Subject) -> Iterator[Found]:
    predicate = subject.predicate if subject.name else ""
    if match := _PREFER_PAIR.match(predicate):
        pair = sorted([" ".join(stems_of(match["one"])), " ".join(stems_of(match["other"]))])
        yield "prefer:" + " or ".join(pair), "", match["one"], False, ""
    elif match := _PREFER_FOR.match(predicate):
        yield "prefer:" + " ".join(stems_of(match["use"])), "", match["value"], False, ""
    elif match := _PREFER.match(predicate):
        *first, last = match["value"].split()
        yield "prefer:" + " ".join(stems_of(last)), "", " ".join(first), False, ""


def _work(_: Statement, subject: Subject) -> Iterator[Found]:
    if subject.name:
        for aspect, value, denied in work_of(subject.predicate):
            text, rest = until_end(value)
            yield "work", aspect, text, denied, rest


def _diet(_: Statement, subject: Subject) -> Iterator[Found]:
    if subject.name and (value := diet_of(subject.predicate)):
        yield "diet", "", value, False, subject.predicate.split()[-1]


def _kind(_: Statement, subject: Subject) -> Iterator[Found]:
    if found := kind_of(subject.predicate):
        yield found[0], "", found[1], False, ""


Reader = Callable[[Statement, Subject], Iterator[Found]]
_READERS: tuple[Reader, ...] = (
    partner_of,
    _home,
    _age,
    _name,
    _born,
    _kind,
    _work,
    _diet,
    _prefers,
)
