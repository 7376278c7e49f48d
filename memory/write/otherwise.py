"""Whether a new memory says that something is otherwise now than an older one tells. Pure.

The last net beneath the slots: both speak of the same subject and the same thing, their vectors
are near, and the new one says that it has changed.
"""

from __future__ import annotations

import re

from memory.write.ending import same_subject
from memory.write.slots import MAX_STATEMENT_STEMS, Understood
from memory.write.statements.ending_words import COMMON, OF_ONE
from memory.write.statements.wording import Statement
from memory.write.statements.words import DAYS

# Nearer than most that are both true of one thing (0007: look-alikes have a median of 0.54).
SAME_TOPIC = 0.45
_OTHERWISE = re.compile(
    r"\b(?:now|these days|nowadays|instead|from now on|switched to|switched (?:my|our)|changed"
    r"|migrated|upgraded|moved (?:my|our|the)|moved to (?:\w+days?|\d)|rescheduled|postponed|pushed"
    r"|slipped|no longer|any ?more|after all"
    r"|went (?:up|down)|goes (?:up|down)|rose|raised|lowered|replaced|swapped)\b",
    re.I,
)
_VERB_FIRST = re.compile(r"^(?:i|we)\b|^(?!(?:my|our|the)\b)")
_OBJECT = re.compile(r"^(?:i|we) \w+ (?:my|our|the) (?P<what>\w+)")
# What comes on top of the older memory, or holds at other times.
_ONE_MORE = re.compile(
    r"\b(?:started|began|begun|took up|joined|also|another|an? new|new \w+ (?:called|named)|again"
    r"|learning|sometimes|too|as well|at work|at home|in the (?:morning|evening|afternoon)s?"
    r"|before|after|when|if|for \w+ projects?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|in (?:spring|summer|autumn|fall|winter))\b",
    re.I,
)


def otherwise_now(new: Understood, old: Understood, cosine: float | None) -> bool:
    """False without vectors, below SAME_TOPIC, or where one of the two says a second thing."""
    if cosine is None or cosine < SAME_TOPIC or len(old.parts) != 1:
        return False
    return any(_is_otherwise(clause, new, old.parts[0]) for clause in new.parts)


def _is_otherwise(clause: Statement, new: Understood, old: Statement) -> bool:
    whole = new.statement.said
    if not _OTHERWISE.search(whole) or _ONE_MORE.search(clause.said) or _ONE_MORE.search(old.said):
        return False
    if clause.also or clause.past or old.past or old.history or clause.negated != old.negated:
        return False
    fewest, most = sorted((len(clause.stems), len(old.stems)))
    if fewest == 0 or most > MAX_STATEMENT_STEMS:
        return False
    return same_subject(clause, old) and _same_thing(clause, old)


def _another_object(clause: Statement, old: Statement) -> bool:
    """ "I take my coffee without milk" and "I drink my tea with milk"."""
    ours, theirs = _OBJECT.match(clause.plain), _OBJECT.match(old.plain)
    return ours is not None and theirs is not None and ours["what"] != theirs["what"]


def _same_thing(clause: Statement, old: Statement) -> bool:
    """A thing that both name, the same verb where one does it with one only, or what is preferred,
    where all but that is the same."""
    ours, theirs = set(clause.stems), set(old.stems)
    if ours == theirs:
        return False
    if all("prefer" in each.plain for each in (clause, old)):
        return len(ours - theirs) == len(theirs - ours) == 1
    shared = (ours & theirs) - COMMON - DAYS - clause.numbers - old.numbers
    if _another_object(clause, old):
        return False
    verbs = {each.stems[0] for each in (clause, old) if _VERB_FIRST.match(each.plain)} - OF_ONE
    return bool(shared - verbs)
