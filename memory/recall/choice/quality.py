"""How much a memory's form speaks for it, and the rule that no question outranks an answer.

Specification 002, step 3, adapted from messages to memories. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from memory.models import ItemType, Role
from memory.recall.choice.questions import is_question

T = TypeVar("T")

_FULL_LENGTH = 500
_LEAST_BY_LENGTH = 0.9
_KNOWLEDGE: frozenset[ItemType] = frozenset(
    {"fact", "preference", "decision", "constraint", "definition"}
)
_OF_KNOWLEDGE = 1.2
_TELLING, _ASKING = 1.1, 0.9


def quality(content: str, item_type: ItemType, role: Role) -> float:
    """length · type · role, from 0.81 to 1.32; 002's formula, changed where memories differ.

    - length: 0.9 + 0.1 · min(characters, 500) / 500. 002 has no floor, to keep snippets of
      conversations below what explains something; a memory is short because it was made to be, and
      a snippet is refused when it is written. With the floor, length decides between memories that
      are equal in the rest, and never outweighs type or role.
    - type: 1.2 for what 002 calls semantic (fact, preference, decision, constraint, definition),
      1.0 for note (its episodic and emotional) and procedure (its procedural).
    - role: 002 gives the assistant 1.1 and the user 0.9, because a user's messages mostly ask. What
      a user states is first-hand: only a user's question has 0.9.
    """
    length = min(len(content), _FULL_LENGTH) / _FULL_LENGTH
    by_length = _LEAST_BY_LENGTH + (1 - _LEAST_BY_LENGTH) * length
    by_type = _OF_KNOWLEDGE if item_type in _KNOWLEDGE else 1.0
    by_role = _ASKING if role == "user" and is_question(content) else _TELLING
    return by_length * by_type * by_role


def demote_questions(ranked: Iterable[T], content: Callable[[T], str]) -> list[T]:
    """The same, those that only ask after all that tell, each part in its order."""
    return sorted(ranked, key=lambda each: is_question(content(each)))
