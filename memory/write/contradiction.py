"""Whether a new memory contradicts or updates an older one, from their words. Pure functions.

Vectors do not tell: "I live in Oslo" and "I moved to Bergen" have a cosine of 0.52, "Tom likes
Anna" and "Anna likes Tom" one of 0.98.
"""

from __future__ import annotations

from dataclasses import replace

from memory.write.clashing import deeds_clash, values_clash
from memory.write.ending import ending_of, same_subject
from memory.write.likeness import opposites, same_statement, weak_opposites
from memory.write.slots import MAX_STATEMENT_STEMS, Understood
from memory.write.statements.slot import Contradiction, Slot
from memory.write.statements.wording import Statement, stems_of
from memory.write.statements.words import DAYS


def contradiction_of(new: Understood, old: Understood) -> Contradiction | None:
    """How the new memory contradicts the old one, or None where both may stand.

    What is over is no contradiction ("I lived in Rome in 2010"), nor is what another person
    does ("My sister Maria lives in Oslo"), nor one more ("I also work at a bakery"). An old
    one that says a second thing beside what is contradicted is never surely replaced.
    """
    found = [clash for one in new.slots for other in old.slots if (clash := _clash(one, other))]
    ending = ending_of(new, old)
    if not found:
        return ending or _words_clash(new.statement, old.statement)
    if ending and ending.sure and not any(each.sure for each in found):
        return ending
    worst = max(found, key=lambda each: (each.sure, each.outright, each.why))
    several = len(old.clauses) > 1 and len({slot.name for slot in old.slots}) > 1
    return replace(worst, sure=worst.sure and not several)


def same_slot(new: Understood, old: Understood) -> bool:
    """Whether the new one fills in what the old one does, and says nothing beside it."""
    if any(slot.is_deed for slot in new.slots) and not same_statement(new.statement, old.statement):
        return False
    return all(
        slots and all(any(_restates(slot, other) for other in old.slots) for slot in slots)
        for slots in new.clauses
    )


def may_be_updated(new: Understood, old: Understood) -> bool:
    """Whether the new one says that something changed, of the same subject as the old one, while
    neither tells of something over; what changed, the words alone do not show."""
    ours, theirs = new.statement, old.statement
    if not ours.changed or ours.also or ours.past or theirs.past or theirs.history:
        return False
    if not same_subject(ours, theirs):
        return False
    return {slot.subject for slot in new.slots} == {slot.subject for slot in old.slots} != set()


def _restates(new: Slot, old: Slot) -> bool:
    if (new.name, new.aspect, new.subject) != (old.name, old.aspect, old.subject):
        return False
    if (new.negated, new.history) != (old.negated, old.history) or not new.rest <= old.rest:
        return False
    ours, theirs = set(stems_of(new.value)), set(stems_of(old.value))
    exact = new.negated or new.is_deed
    return ours == theirs if exact else ours <= theirs and bool(ours) == bool(theirs)


def _clash(new: Slot, old: Slot) -> Contradiction | None:
    return deeds_clash(new, old) if new.is_deed else values_clash(new, old)


def _words_clash(new: Statement, old: Statement) -> Contradiction | None:
    """Two sentences that differ in one word, which is the opposite, or in their numbers."""
    if new.past or old.past or old.history or new.negated != old.negated or new.also:
        return None
    if max(len(new.stems), len(old.stems)) > MAX_STATEMENT_STEMS:
        return None
    if _both_like(new, old):
        return _other_preference(new, old)
    why = _difference(new, old)
    sure = why == "opposite" or new.changed
    return Contradiction(why, sure=sure, outright=new.changed) if why else None


def _difference(new: Statement, old: Statement) -> str:
    if opposites(new, old):
        return "opposite"
    if weak_opposites(new, old) or _another_day(new, old):
        return "time"
    return "number" if _other_numbers(new, old) else ""


def _both_like(new: Statement, old: Statement) -> bool:
    """One may like summer and winter; "I prefer" excludes what is its opposite."""
    prefer = all("prefer" in each.plain for each in (new, old))
    return "lik" in new.stems and not (prefer and (opposites(new, old) or weak_opposites(new, old)))


def _other_preference(new: Statement, old: Statement) -> Contradiction | None:
    """ "I prefer coffee now" after "I prefer tea"; the words do not say of what kind they are."""
    prefer = all("prefer" in each.plain for each in (new, old))
    other = len(set(new.stems) - set(old.stems)) == len(set(old.stems) - set(new.stems)) == 1
    if prefer and other and new.changed:
        return Contradiction("preference", sure=False, outright=True)
    return None


def _another_day(new: Statement, old: Statement) -> bool:
    """ "We deploy on Thursdays" and "We deploy on Tuesdays"."""
    ours, theirs = set(new.stems) - set(old.stems), set(old.stems) - set(new.stems)
    return len(ours) == len(theirs) == 1 and ours | theirs <= DAYS


def _other_numbers(new: Statement, old: Statement) -> bool:
    """ "I wake up at 6" and "I wake up at 7", but not "Ticket 12 is late" and "Ticket 13 …"."""
    ours, theirs = set(new.stems) - new.numbers, set(old.stems) - old.numbers
    own = ("i ", "we ", "my ", "our ", "the ") if new.changed else ("i ", "we ", "my ", "our ")
    of_oneself = all(each.plain.startswith(own) for each in (new, old))
    return (
        of_oneself
        and ours == theirs != set()
        and bool(new.numbers)
        and bool(old.numbers - new.numbers)
    )
