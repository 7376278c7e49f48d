"""Whether a summary that a model wrote says what its sources say. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.models import MAX_ITEM_CHARS
from memory.recall.choice.questions import is_question
from memory.recall.choice.screening import find_order
from memory.secrets import find_secrets
from memory.upkeep.rolling_up.wording import MOST_WORDS
from memory.write.names import names_in
from memory.write.stems import NUMBERS

_WORD = re.compile(r"[^\W_]+")
_DENIAL = re.compile(r"n['’]t\b|\b(?:not|never|cannot|no|without)\b", re.IGNORECASE)


def fault_of(summary: str, contents: Sequence[str]) -> str | None:
    """Why the summary cannot take the place of the contents; None where it can.

    It has fewer than MOST_WORDS words, holds every name and number of the contents and no other,
    denies something exactly where one of them does, and is no secret, question or order.
    """
    words = summary.split()
    if not words or len(words) >= MOST_WORDS or len(summary) > MAX_ITEM_CHARS:
        return "length"
    if find_secrets(summary) or find_order(summary) is not None or is_question(summary):
        return "form"
    source = " \n".join(contents)
    if not telling(summary) <= _words(source):
        return "invented"
    if not {word for each in contents for word in telling(each)} <= _words(summary):
        return "lost"
    return None if _denies(summary) == any(map(_denies, contents)) else "negation"


def telling(text: str) -> set[str]:
    """The words of its names and its numbers, in lower case, numbers as digits."""
    named = {word for name in names_in(text) for word in _words(name)}
    return named | {word for word in _words(text) if any(map(str.isdigit, word))}


def _words(text: str) -> set[str]:
    plain = (word.casefold() for word in _WORD.findall(text))
    return {str(NUMBERS.get(word, word)) for word in plain}


def _denies(text: str) -> bool:
    return _DENIAL.search(text) is not None
