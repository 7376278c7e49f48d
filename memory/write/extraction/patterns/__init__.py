"""Every reason to keep a sentence, in the order in which they are tried: the first one counts."""

from __future__ import annotations

from memory.write.extraction.patterns import (
    abilities,
    changes,
    constraints,
    decisions,
    events,
    goals,
    habits,
    identity,
    knowledge,
    moves,
    people,
    preference,
    things,
)
from memory.write.extraction.patterns.rule import Rule

PROCEDURES = knowledge.PROCEDURES
RULES: tuple[Rule, ...] = (
    *knowledge.DEFINITIONS,
    *knowledge.PROCEDURES,
    *preference.RULES,
    *constraints.CONSTRAINTS,
    *decisions.DECISIONS,
    *events.EVENTS,
    *goals.GOALS,
    *identity.RULES,
    *abilities.ABILITIES,
    *people.PEOPLE,
    *things.THINGS,
    *habits.HABITS,
    *changes.CHANGES,
    *moves.MOVES,
)
__all__ = ["PROCEDURES", "RULES", "Rule"]
