"""What becomes of the conversations that a forgotten memory came from, as the user says it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.commands.lexicon import Sense, without_ending
from memory.store.forgetting.forgetting import History

_ENDINGS: Mapping[Sense, History] = {"keep messages": "keep", "delete messages": "delete"}
_CHOICE = re.compile(
    r"(?:(?<![\s,;.–—-])[\s,;.–—-]+)?\b(?:(?:and|but)\s+)?(?P<what>keep|leave|delete|remove|redact)\s+"
    r"(?:all\s+)?(?:of\s+)?(?:(?:the|my|those|these|our)\s*)?(?:whole\s+)?"
    r"(?:messages?|conversations?|chats?|history)\b"
    r"(?:\s+(?:too|as well|as they are|alone))?[\s.!]*$",
    re.IGNORECASE,
)


def split_choice(text: str) -> tuple[str, History]:
    """The answer without the choice, and the choice; “redact” where none is said. Pure."""
    match = _CHOICE.search(text)
    if match is None:
        return _split_in_other_languages(text)
    what = match["what"].casefold()
    chosen: History = "keep" if what in {"keep", "leave"} else "delete"
    return text[: match.start()], "redact" if what == "redact" else chosen


def _split_in_other_languages(text: str) -> tuple[str, History]:
    for sense, history in _ENDINGS.items():
        answer = without_ending(text, sense)
        if answer is not None:
            return answer, history
    return text, "redact"
