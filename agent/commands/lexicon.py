"""The few words that are heard as they stand, in any of the five languages: yes, no, which of two,
where a question of Keepsake's is open; “for good”, and what becomes of messages. They are in
`lexicon.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

FILE = Path(__file__).parent / "lexicon.json"
Sense = Literal[
    "yes", "no", "old one", "opening", "filler", "for good", "keep messages", "delete messages"
]
_MOST_CHARS, _MOST_WORDS = 80, 6
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'"})
_SIGNS = str.maketrans({"👍": " yes ", "✅": " yes ", "👌": " yes ", "👎": " no ", "❌": " no "})
_LEFTOVERS = re.compile(r"[\U0001f3fb-\U0001f3ff\ufe0f]|[\U0001f600-\U0001f64f]|[:;]-?[)(]")
_WORD = re.compile(r"[^\s,.!;:…–—]+")
# “yesss” is “yes”.
_DRAWN_OUT = re.compile(r"(.)\1{2,}")


def answer_in(said: str) -> bool | None:
    """True for yes, False for no, None where it is neither, both, or has more to say. “OK” and
    “please” are a yes of their own, and only an opening where a no follows."""
    if len(said) > _MOST_CHARS or "?" in said:
        return None
    senses = _senses_of(_words(said))
    if senses is None:
        return None
    if "no" in senses:
        return None if "yes" in senses else False
    return True if senses & {"yes", "opening"} and "old one" not in senses else None


def is_old_one(said: str) -> bool:
    """Whether it says that of two things the old one holds."""
    if "?" in said:
        return False
    senses = _senses_of(_words(said))
    return senses is not None and "old one" in senses and "yes" not in senses


def is_for_good(said: str) -> bool:
    """Whether a wish says that what it takes shall not come back."""
    words = _words(said)
    runs = (
        " ".join(words[at : at + size])
        for at in range(len(words))
        for size in range(1, _MOST_WORDS + 1)
    )
    return any("for good" in _lexicon().get(run, ()) for run in runs)


def without_ending(said: str, sense: Sense) -> str | None:
    """What is said before an ending of that sense; None where it ends in none."""
    words = _words(said)
    for size in range(min(_MOST_WORDS, len(words)), 0, -1):
        if sense in _lexicon().get(" ".join(words[-size:]), ()):
            return " ".join(words[:-size])
    return None


def _senses_of(words: list[str]) -> set[Sense] | None:
    """Of the longest pieces that are known: “of course not” before “of course”. None where a word
    is in none."""
    found: set[Sense] = set()
    at = 0
    while at < len(words):
        sizes = range(min(_MOST_WORDS, len(words) - at), 0, -1)
        size = next((n for n in sizes if " ".join(words[at : at + n]) in _spoken()), 0)
        if not size:
            return None
        found.add(_spoken()[" ".join(words[at : at + size])])
        at += size
    return found


def _words(said: str) -> list[str]:
    plain = _LEFTOVERS.sub(" ", said.translate(_STRAIGHT).translate(_SIGNS)).casefold()
    return [_DRAWN_OUT.sub(r"\1", each) for each in _WORD.findall(plain)]


@cache
def _lexicon() -> Mapping[str, frozenset[Sense]]:
    """The senses of each piece, over all languages."""
    stored: dict[str, dict[Sense, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    found: dict[str, frozenset[Sense]] = {}
    for senses in stored.values():
        for sense, pieces in senses.items():
            for piece in pieces:
                found[piece] = found.get(piece, frozenset()) | {sense}
    return found


@cache
def _spoken() -> Mapping[str, Sense]:
    """The sense of each piece of an answer. Where languages differ it is the one that changes
    least: a no, then what says nothing."""
    order: tuple[Sense, ...] = ("old one", "no", "filler", "opening", "yes")
    told = {
        piece: next((s for s in order if s in held), None) for piece, held in _lexicon().items()
    }
    return {piece: sense for piece, sense in told.items() if sense is not None}
