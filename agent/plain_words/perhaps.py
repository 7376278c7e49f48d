"""Commands that are one only where memory holds what they name: “forget about sushi”."""

from __future__ import annotations

import re

from agent.plain_words.commands import Command

_FORGET = re.compile(
    r"^\s*(?:(?:please|hey keepsake|keepsake|ok|okay)[,\s]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:forget|erase|delete)\s+(?:(?:everything|all|anything)\s+)?(?:about\s+)?"
    r"(?:the memor(?:y|ies) (?:about|of)\s+)?"
    r"(?P<about>(?!(?:about\s+)?(?:it|that|this|everything)\b)[^\s.,;:!?\"“”][^.,;:!?\n\"“”]{1,60}?)"
    r"(?:\s+memor(?:y|ies))?(?:\s+please)?[\s.!?]*$",
    re.IGNORECASE,
)
# “Delete the file” and “forget about the tests” are said of what is in hand.
_OF_TALK = re.compile(
    r"\bforget\s+(?:(?:everything|all|anything)\s+)?about\s+"
    r"(?!(?:the|this|that|these|those|your|it|them|him|her|us|me)\b)\S",
    re.IGNORECASE,
)


def perhaps_forget(said: str) -> Command | None:
    """A forgetting that could as well be talk. Pure; whoever asks looks whether there is such a
    memory, and takes it for talk where there is none."""
    match = _FORGET.match(said)
    return None if match is None else Command("forget", about=match["about"].strip())


def names_what_was_said(said: str) -> bool:
    """Whether such a forgetting may mean past talk as well, since of that there is always much:
    “forget about sushi”, but not “delete the file” or “forget about the tests”. Pure."""
    return _OF_TALK.search(said) is not None
