"""Forgetting a part: where a memory is cut, and what of it a wish names. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from memory.controls.finding import Word
from memory.controls.relations import TITLE
from memory.understanding.pieces import Piece, joined

_FEWEST_WORDS_LEFT = 3
# What the first words of a memory are about, and how much the first piece has to tell of it.
_SUBJECT_WORDS = 3
_FEWEST_TOLD = 3
_WORD = re.compile(r"\w+(?:['’]\w+)*")


Lexemes = Set[str]


@dataclass(frozen=True)
class Cut:
    """What goes of a memory, and what stays."""

    goes: str
    stays: str


@dataclass(frozen=True)
class Told:
    """What a piece of a memory tells, as lexemes; of the first piece also its first word
    (`opening`), and the names and titles that stand right after it."""

    held: Lexemes
    opening: Lexemes = frozenset()
    names: Lexemes = frozenset()


def opening_of(text: str) -> tuple[str, str]:
    """The first word of a memory, and the names and titles among those right after it, of the text
    of its first piece."""
    words = text.split()[:_SUBJECT_WORDS]
    named = [word for word in words[1:] if _is_name(word) or TITLE.fullmatch(word)]
    return words[0], " ".join(named)


def as_said(cut: Cut, opening: tuple[str, str]) -> str:
    """What goes as it would be said again by itself: with the names that the memory opens with."""
    first, names = opening
    return f"{first} {names} {cut.goes}" if names else cut.goes


def _is_name(word: str) -> bool:
    """By its capital letter; “I” is none."""
    return word[:1].isupper() and word[1:2].isalpha()


def cut_by(
    words: Sequence[Word], text: str, pieces: Sequence[Piece], told: Sequence[Told]
) -> Cut | None:
    """What of the text goes with a wish of these words: from the first piece that holds one to the
    sure end after the last; `told` is of each piece. None where it goes whole.

    Who the first piece is about may be named to say whose it is: that alone does not take it.
    """
    places = _meant(words, told)
    if not places or places[0] == 0:
        return None
    start = pieces[places[0]].start
    end = next((each.start for each in pieces[places[-1] + 1 :] if each.sure), len(text))
    stays = joined(text[:start], text[end:])
    if len(_WORD.findall(stays)) < _FEWEST_WORDS_LEFT:
        return None
    return Cut(text[start:end].strip(), stays)


def _meant(words: Sequence[Word], told: Sequence[Told]) -> list[int]:
    """The places of the pieces that hold one of the words; without the first where it only says who
    it is about."""
    places = [at for at, each in enumerate(told) if _held(words, each)]
    if places[:1] != [0]:
        return places
    named = _held(words, told[0])
    others = [word for word in words if word not in named]
    left = told[0].held - frozenset[str]().union(*(word.lexemes for word in named))
    is_subject = all(_is_subject(word, told[0]) for word in named) and len(left) >= _FEWEST_TOLD
    beside = any(_held(others, each) for each in told[1:])
    return places[1:] if is_subject and beside else places


def _held(words: Sequence[Word], told: Told) -> list[Word]:
    return [word for word in words if word.lexemes & told.held]


def _is_subject(word: Word, first: Told) -> bool:
    """A first word has a capital letter anyway: it is a name where the wish writes it as one."""
    return bool(word.lexemes & first.names or (word.is_name and word.lexemes & first.opening))
