"""Labelled segments put together again as messages, in the ways in which people type them."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eval.training.sentences import LabelledMessage

# Writers of data put each segment on a line of its own, mostly without the mark that ends it.
# How often each mark stands there, by the style of the message; estimates.
_MARKS = (". ", ", ", " ", "\n", " - ", "! ", "... ", " — ", "; ")
_STYLES = (
    (80, 10, 1, 1, 2, 3, 1, 1, 1),
    (80, 10, 1, 1, 2, 3, 1, 1, 1),
    (30, 50, 5, 1, 6, 2, 3, 1, 2),
    (10, 25, 55, 2, 4, 1, 3, 0, 0),
    (15, 10, 2, 68, 2, 2, 1, 0, 0),
)
_CAPITAL, _FULL_STOP, _SPACE = 0.9, 0.6, 0.9


@dataclass(frozen=True)
class Typed:
    """A message as it was typed: segment n goes from `starts[n]` to the next start."""

    text: str
    starts: tuple[int, ...]

    def segments(self) -> list[str]:
        ends = (*self.starts[1:], len(self.text))
        return [self.text[a:b].strip() for a, b in zip(self.starts, ends, strict=True)]


@dataclass(frozen=True)
class Capitals:
    """How a message uses them; `none` where it begins without one."""

    language: str
    none: bool
    common: Collection[str]

    def are_dropped(self, text: str) -> bool:
        """Whether its first word has one only where it begins a sentence."""
        first = text.split(maxsplit=1)[0].casefold()
        of_oneself = first.partition("'")[0] == "i"
        return first in self.common and not of_oneself and self.language != "de"


def common_words(messages: Sequence[LabelledMessage]) -> set[str]:
    """Words that somebody wrote with a small letter: no names."""
    return {
        word
        for message in messages
        for segment in message.segments
        for word in segment.text.split()[1:]
        if word.islower()
    }


def typed(message: LabelledMessage, common: Collection[str], rng: random.Random) -> Typed:
    """With a mark between two segments where the writer left none."""
    style = rng.choice(_STYLES)
    small = message.segments[0].text[:1].islower()
    capitals = Capitals(message.language, small, common)
    text, starts = "", [0]
    for segment in message.segments:
        if text:
            mark = _mark(text, style, rng)
            text += mark
            starts.append(len(text))
            text += _begun(segment.text, mark, capitals, rng)
        else:
            text = segment.text
    if text[-1].isalnum() and not small and rng.random() < _FULL_STOP:
        text += "."
    return Typed(text, tuple(starts))


def _mark(text: str, style: Sequence[int], rng: random.Random) -> str:
    if text[-1].isalnum() or text[-1] in ")\"»'":
        return rng.choices(_MARKS, style)[0]
    return " " if rng.random() < _SPACE else "\n"


def _begun(text: str, mark: str, capitals: Capitals, rng: random.Random) -> str:
    """With a capital after a full stop, and none in the midst of a sentence but for a name."""
    if rng.random() >= _CAPITAL:
        return text
    if mark[0] in ".!\n":
        return text if capitals.none else text[:1].upper() + text[1:]
    return text[:1].lower() + text[1:] if capitals.are_dropped(text) else text
