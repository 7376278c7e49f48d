"""What becomes of the conversations that a forgotten memory came from, as the user says it."""

from __future__ import annotations

import re

from memory.store.forgetting.forgetting import History

CHOICES = (
    "The conversations it came from lose their sentences about it; say “yes, but keep the "
    "messages” or “yes, and delete the messages” for something else."
)
CHOICES_OF_SAID = (
    "Say “yes, but keep the messages” or “yes, and delete the messages” for something else."
)
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
        return text, "redact"
    what = match["what"].casefold()
    chosen: History = "keep" if what in {"keep", "leave"} else "delete"
    return text[: match.start()], "redact" if what == "redact" else chosen
