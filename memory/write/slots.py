"""What a memory fills in about somebody: where I live, how old my sister Maria is. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import chain

from memory.write.statements.clauses import clauses_of
from memory.write.statements.occasions import occasion_slots
from memory.write.statements.slot import MAX_KEY_CHARS, Slot
from memory.write.statements.subjects import Subject, subject_of
from memory.write.statements.switches import switch_of
from memory.write.statements.traits import trait_slots
from memory.write.statements.wording import Statement, read, stems_of

# Beyond so many words that carry meaning, a text is a note and no single statement.
MAX_STATEMENT_STEMS = 12
MAX_STATEMENT_CHARS = 600
# How a rule for the assistant or oneself begins; "never" and "do not" deny it.
_RULES = ("never ", "always ", "do not ", "you can ", "you may ")


def key_of(slot: Slot) -> str:
    """At most 100 characters, as "i/home", "maria/work", "/time:dentist appointment".

    Two memories of one key may contradict each other; "maria" may be "my sister maria".
    """
    key = f"{slot.owner}/{slot.name}"
    if len(key) <= MAX_KEY_CHARS:
        return key
    return f"{key[: MAX_KEY_CHARS - 17]}~{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def keys_of(content: str) -> tuple[str, ...]:
    """All keys to look for older memories under; "I switched from A to B" has several."""
    return tuple(dict.fromkeys(key_of(slot) for slot in slots_of(content)))


def slots_of(content: str) -> tuple[Slot, ...]:
    """Everything that the memory says of somebody, in the order of its clauses."""
    return understood(content).slots


@dataclass(frozen=True)
class Understood:
    """A memory as it is compared: its words, and what each of its clauses fills in.

    A clause that fills in nothing, such as what is over, has an empty tuple. `parts` are the
    clauses as they are said.
    """

    statement: Statement
    clauses: tuple[tuple[Slot, ...], ...]
    parts: tuple[Statement, ...] = ()

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(chain.from_iterable(self.clauses))


def understood(content: str) -> Understood:
    whole = read(content)
    if len(content) > MAX_STATEMENT_CHARS:
        return Understood(whole, ((),))
    parts = clauses_of(whole.said)
    clauses = [whole] if parts == [whole.said] else [read(part) for part in parts]
    return Understood(whole, tuple(_slots(clause) for clause in clauses), tuple(clauses))


def _slots(statement: Statement) -> tuple[Slot, ...]:
    if not statement.stems or (statement.past and not statement.history):
        return ()
    subject = subject_of(statement)
    found = occasion_slots(statement) or trait_slots(statement, subject)
    left_a_place = found and found[0].aspect == "employer" and found[0].negated and found[0].value
    if left_a_place and " job" not in statement.plain:
        left = _deed(statement, subject, stems_of(found[0].value), negated=True)
        found = [*found, left]
    elif not found or found[0].before or found[0].name == "work":
        found = [*found, *_switch(statement, subject)]
    if found or len(statement.stems) > MAX_STATEMENT_STEMS:
        return tuple(found)
    return (_deed(statement, subject, statement.stems, negated=statement.negated),)


def _switch(statement: Statement, subject: Subject) -> list[Slot]:
    now, no_longer = switch_of(subject.predicate) if subject.name == "i" else ([], [])
    changed = replace(statement, changed=True)
    return [
        _deed(changed, subject, tuple(words.split()), negated=denied)
        for these, denied in ((now, False), (no_longer, True))
        for words in these
        if words
    ]


def _deed(statement: Statement, subject: Subject, stems: tuple[str, ...], *, negated: bool) -> Slot:
    """What is done or liked, or no longer: all its words are the value, two of them the name."""
    is_rule = statement.said.lower().startswith(_RULES)
    whose = "i" if subject.name == "i" or is_rule else ""
    return Slot(
        name="do:" + " ".join(stems[:2]),
        subject=whose,
        owner=whose,
        value=" ".join(stems),
        single=False,
        outright=statement.changed,
        negated=negated,
        history=statement.history,
    )
