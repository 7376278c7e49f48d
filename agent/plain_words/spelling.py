"""Slips of the finger in the words that commands are made of: “forgt”, “rember”, “trun off”."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMAND_WORDS = ("remember", "forget", "memory", "memories", "incognito", "everything")
# Of these only swapped neighbours are put right, and of the long ones a letter left out or
# typed twice: another letter in its place makes many a word of its own (“expert”, “stitch”).
_VERBS = (
    *("turn", "edit", "undo", "unpin", "erase", "stop", "save", "store", "keep", "what", "know"),
    *("delete", "export", "import", "remove", "restore", "enable", "disable", "switch", "update"),
    *("change", "correct", "search", "resume", "record", "history", "private", "download"),
)
_LONG = 6
# One letter away from a command word, and words of their own.
_OWN_WORDS = {
    *("forgot", "forge", "forged", "forger", "forges", "forgets"),
    *("remembers", "memorise", "restored", "removed", "charge", "chance", "hange"),
}
_KNOWN = {
    "rember": "remember",
    "remeberr": "remember",
    "remebmer": "remember",
    "rembember": "remember",
    "4get": "forget",
    "foget": "forget",
    "frogte": "forget",
    "fogret": "forget",
    "incog": "incognito",
    "incogneto": "incognito",
    "delte": "delete",
    "deleet": "delete",
    "exort": "export",
    "unpinn": "unpin",
    "everythign": "everything",
    "everyting": "everything",
    "memroies": "memories",
    "abt": "about",
    "abuot": "about",
    "wat": "what",
    "wht": "what",
    "taht": "that",
    "tht": "that",
    "thsi": "this",
    "tihs": "this",
    "plase": "please",
    "pleas": "please",
    "pleae": "please",
    "teh": "the",
    "hwo": "how",
    "wher": "where",
    "whre": "where",
    "shwo": "show",
    "hsow": "show",
    "dnt": "don't",
    "dotn": "don't",
    "turnoff": "turn off",
    "turnon": "turn on",
    "memoryoff": "memory off",
    "memoryon": "memory on",
}
_RIGHT = frozenset({*_COMMAND_WORDS, *_VERBS, *_OWN_WORDS})
_WORD = re.compile(r"(?<![\w.@/'’-])[^\W_]{3,}(?![\w@/])")
# One slip leaves the first half of a word as it is, or the second.
_FIRST_HALVES = tuple(word[: len(word) // 2] for word in _COMMAND_WORDS)
_SECOND_HALVES = tuple(word[len(word) // 2 + 1 :] for word in _COMMAND_WORDS)


def _slips_in(verb: str) -> Iterator[str]:
    """Two neighbours swapped; in a long word also a letter left out or typed twice."""
    for at in range(1, len(verb)):
        yield verb[: at - 1] + verb[at] + verb[at - 1] + verb[at + 1 :]
    if len(verb) >= _LONG:
        for at in range(len(verb)):
            yield verb[:at] + verb[at + 1 :]
            yield verb[: at + 1] + verb[at:]


# Where two verbs have a slip in common, the first one is meant.
_MISTYPED = {slip: verb for verb in reversed(_VERBS) for slip in _slips_in(verb)}


def without_slips(text: str) -> str:
    """The text with misspelt command words put right, and nothing else changed."""
    return _WORD.sub(lambda match: _put_right(match[0]), text)


def _put_right(word: str) -> str:
    lower = word.lower()
    if lower in _KNOWN:
        return _KNOWN[lower]
    if lower in _RIGHT:
        return word
    if lower.startswith(_FIRST_HALVES) or lower.endswith(_SECOND_HALVES):
        right = next((right for right in _COMMAND_WORDS if _is_one_slip(lower, right)), None)
        if right is not None:
            return right
    return _MISTYPED.get(lower, word)


def _is_one_slip(word: str, right: str) -> bool:
    """One letter left out, put in or changed, or two neighbours swapped."""
    if abs(len(word) - len(right)) > 1:
        return False
    typed, meant = _from_the_difference(word, right)
    return _swapped(typed, meant) or typed[1:] == meant or meant[1:] in (typed, typed[1:])


def _from_the_difference(word: str, right: str) -> tuple[str, str]:
    """What is left of both after the letters they begin with in common."""
    pairs = zip(word, right, strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    at = min(len(word), len(right)) if at is None else at
    return word[at:], right[at:]


def _swapped(typed: str, meant: str) -> bool:
    return len(typed) > 1 and typed[:2] == meant[1::-1] and typed[2:] == meant[2:]
