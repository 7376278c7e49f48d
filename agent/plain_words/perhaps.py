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


def perhaps_forget(said: str) -> Command | None:
    """A forgetting that could as well be talk. Pure; whoever asks looks whether there is such a
    memory, and takes it for talk where there is none."""
    match = _FORGET.match(said)
    return None if match is None else Command("forget", about=match["about"].strip())
