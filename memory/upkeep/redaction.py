"""Taking out of a text what it says about a forgotten memory. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from memory.write.normalise import normalise
from memory.write.stems import stems_of

MARK = "[forgotten]"
# The share of a memory's words that a sentence about it holds; fewer are enough where the message
# is known to belong to the memory.
MOST = 0.6
SOME = 0.34
# Below so many characters, or as a single word, a memory counts as held only between word ends.
SHORT = 12

_BETWEEN = re.compile(r"((?<=[.!?…])[\"'”’)\]]*\s+|(?:(?<!\s)\s+)?\n\s*|(?<=[。！？]))")
_WORDS = re.compile(r"[^\W_]+")
_TELLING = re.compile(r"(?<!^)\b(?:[A-Z]\w+|\w*\d\w*)\b")


def redact_about(message: str, content: str, *, closely: bool = False) -> str:
    """The message with “[forgotten]” in place of its sentences about the memory.

    A sentence is about it where it holds `MOST` of the words that carry meaning in one of the
    memory's sentences, or the memory itself. `closely`, for a message that the memory came from or
    that rested on it, `SOME` of them are enough, or one of its names or numbers. The result never
    holds the memory (`holds`); a message that is nothing else comes out empty.
    """
    pieces, about = pieces_of(message), About(content, closely=closely)
    gone = {place for place in range(0, len(pieces), 2) if about.tells(pieces[place])}
    result = without_pieces(pieces, gone)
    if not holds(result, content):
        return result
    return "" if holds(MARK, content) else MARK


class About:
    """What makes a sentence one about a memory, see `redact_about`; for many sentences at once."""

    def __init__(self, content: str, *, closely: bool = False) -> None:
        self._holds = _holding(content)
        self._share = SOME if closely else MOST
        self._telling = telling_stems(content) if closely else set[str]()
        stems = {frozenset(stems_of(piece)) for piece in sentences(content)}
        self._sentences = [each for each in stems if each]

    def tells(self, sentence: str) -> bool:
        if self._holds(sentence):
            return True
        said = set(stems_of(sentence))
        if said & self._telling:
            return True
        return any(len(said & about) >= self._share * len(about) for about in self._sentences)


def holds(text: str, content: str) -> bool:
    """Whether the memory's words stand in the text one after another, whatever is between them;
    a short memory within words does not count."""
    return _holding(content)(text)


def _holding(content: str) -> Callable[[str], bool]:
    wanted, as_it_is = _plain(content), content.strip()
    if not wanted:
        return lambda text: as_it_is != "" and as_it_is in text
    if " " in wanted or len(wanted) >= SHORT:
        return lambda text: wanted in _plain(text)
    return lambda text: f" {wanted} " in f" {_plain(text)} "


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [piece for piece in pieces_of(text)[::2] if piece.strip()]


def pieces_of(text: str) -> list[str]:
    """The sentences and lines of a text at the even places, what stands between them at the odd
    ones; joined they are the text."""
    return _BETWEEN.split(text)


def without_pieces(pieces: Sequence[str], gone: Collection[int]) -> str:
    """The text of the pieces with “[forgotten]” in place of those at the places that are gone."""
    kept = [MARK if place in gone else piece for place, piece in enumerate(pieces)]
    return _merged(kept) if MARK in kept else "".join(kept)


def telling_stems(content: str) -> set[str]:
    """The names and numbers of a memory: its capitalised words but the first, and its digits."""
    return set(stems_of(" ".join(_TELLING.findall(content))))


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(normalise(text)))


def _merged(pieces: Sequence[str]) -> str:
    """One mark for what was several sentences in a row."""
    joined = "".join(pieces)
    return re.sub(rf"{re.escape(MARK)}(?:\s*{re.escape(MARK)})+", MARK, joined)
