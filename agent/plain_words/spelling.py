"""Slips of the finger in the words that commands are made of: “forgt”, “rember”, “incog”."""

from __future__ import annotations

import re

_COMMAND_WORDS = ("remember", "forget", "memory", "memories", "incognito", "everything")
# One letter away from a command word, and words of their own.
_OWN_WORDS = {
    *("forgot", "forge", "forged", "forger", "forges", "forgets"),
    *("remembers", "memorise"),
}
_KNOWN = {
    "rember": "remember",
    "remeberr": "remember",
    "remebmer": "remember",
    "rembember": "remember",
    "4get": "forget",
    "foget": "forget",
    "incog": "incognito",
    "incogneto": "incognito",
    "delte": "delete",
    "delet": "delete",
    "deleet": "delete",
    "exprot": "export",
    "exort": "export",
    "improt": "import",
    "unpinn": "unpin",
    "everythign": "everything",
    "everyting": "everything",
    "memroies": "memories",
    "abt": "about",
    "abuot": "about",
    "waht": "what",
    "wat": "what",
    "taht": "that",
    "tht": "that",
    "thsi": "this",
    "plase": "please",
    "pleas": "please",
    "turnoff": "turn off",
    "turnon": "turn on",
    "memoryoff": "memory off",
    "memoryon": "memory on",
}
_WORD = re.compile(r"(?<![\w.@/'’-])[^\W_]{3,}(?![\w@/])")


def without_slips(text: str) -> str:
    """The text with misspelt command words put right, and nothing else changed."""
    return _WORD.sub(lambda match: _put_right(match[0]), text)


def _put_right(word: str) -> str:
    lower = word.lower()
    if lower in _KNOWN:
        return _KNOWN[lower]
    if lower in _OWN_WORDS or lower in _COMMAND_WORDS:
        return word
    return next((right for right in _COMMAND_WORDS if _is_one_slip(lower, right)), word)


def _is_one_slip(word: str, right: str) -> bool:
    """One letter left out, put in or changed, or two neighbours swapped."""
    if abs(len(word) - len(right)) > 1:
        return False
    start = next(
        (at for at, pair in enumerate(zip(word, right, strict=False)) if pair[0] != pair[1]), None
    )
    if start is None:
        return True
    typed, meant = word[start:], right[start:]
    swapped = typed[:2] == meant[1::-1] and typed[2:] == meant[2:]
    return swapped or typed[1:] == meant or typed == meant[1:] or typed[1:] == meant[1:]
