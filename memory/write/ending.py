"""Whether a new memory says that what an older one tells is over. Pure functions."""

from __future__ import annotations

import re

from memory.write.slots import MAX_STATEMENT_STEMS, Understood
from memory.write.statements.ended import (
    Ended,
    allowed_by,
    another_for,
    attained_by,
    ended_by,
    gone,
    is_striving,
    parted_from,
)
from memory.write.statements.slot import Contradiction
from memory.write.statements.subjects import PERSON, PETS, subject_of
from memory.write.statements.subjects import same_subject as may_be_one
from memory.write.statements.wording import Statement, stems_of

_HOUSEHOLD = frozenset(("liv", "shar", "roommat", "flatmat", "housemat"))
_BELOVED = re.compile(
    r"\b(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|dating|seeing|together|engaged"
    r"|married|relationship)\b",
    re.I,
)
_PET = re.compile(rf"my {PETS}\b")
_ANOTHER = re.compile(rf"^(?:my|our) {PERSON}\b(?! and i\b)|^(?:he|she|they)\b")


def ending_of(new: Understood, old: Understood) -> Contradiction | None:
    """ "I quit the choir" after "I sing in a choir", "I finished my novel" after "I'm writing one".

    All that is over must be in the older memory, of the same subject; what is over only at times
    ("no more coffee after noon") ends nothing.
    """
    for clause in new.parts:
        for older in old.parts:
            if _is_gone(clause, older):
                return Contradiction("ending", sure=True, outright=True)
            if _is_allowed(clause, older):
                return Contradiction("ending", sure=len(old.parts) == 1, outright=True)
            if _may_end(clause, older) and _ends(clause, older):
                sure = len(old.parts) == 1 and not _is_liked(older)
                return Contradiction("ending", sure=sure, outright=True)
    return None


def _may_end(clause: Statement, older: Statement) -> bool:
    over = clause.also or older.past or older.history or older.negated
    too_long = max(len(clause.stems), len(older.stems)) > MAX_STATEMENT_STEMS
    return not over and not too_long and same_subject(clause, older)


def _is_liked(older: Statement) -> bool:
    """Who stopped drinking coffee may love it still."""
    return "lik" in older.stems and "prefer" not in older.plain


def same_subject(clause: Statement, older: Statement) -> bool:
    """Whether both speak of oneself and one's things, or of the same other person."""
    ours, theirs = subject_of(clause).name, subject_of(older).name
    if ours not in ("i", ""):
        return may_be_one(ours, theirs)
    one, other = clause.said.lower(), older.said.lower()
    if _ANOTHER.match(one) or _ANOTHER.match(other):
        return one.split()[:2] == other.split()[:2]
    return theirs in ("i", "") or _PET.match(theirs) is not None


def _is_gone(clause: Statement, older: Statement) -> bool:
    """ "Tim moved out" after "I live with Tim", "Grandma died" after "Grandma lives in Delft"."""
    follows = another_for(clause)
    if follows and follows.match(older.said.lower()):
        return True
    ex = parted_from(clause)
    if ex and ex <= frozenset(older.stems) and not older.past and _BELOVED.search(older.said):
        return True
    who, only_moved = gone(clause)
    if not who or older.past or older.history or older.negated or not who <= frozenset(older.stems):
        return False
    return not only_moved or not _HOUSEHOLD.isdisjoint(older.stems)


def _is_allowed(clause: Statement, older: Statement) -> bool:
    allowed = allowed_by(clause) if older.negated else None
    return allowed is not None and frozenset() < allowed.what <= frozenset(older.stems)


def _ends(clause: Statement, older: Statement) -> bool:
    if any(_within(ended, older) for ended in ended_by(clause)):
        return True
    attained = attained_by(clause)
    return attained is not None and is_striving(older) and _within(attained, older)


def _within(ended: Ended, older: Statement) -> bool:
    held = {*older.stems, *stems_of(older.said)}
    return ended.what <= held and not ended.narrowed
