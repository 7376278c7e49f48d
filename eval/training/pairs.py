"""Pairs of texts that nobody had to write: two that have nothing to do with each other, and one
that is typed again."""

from __future__ import annotations

import random
from collections.abc import Sequence

from eval.training.examples import Pair

# As shares of the written pairs.
_DRAWN, _SAME_AGAIN = 0.4, 0.06
# Words shorter than this are typed without a slip.
_LONG = 4


def drawn(pairs: Sequence[Pair], rng: random.Random, share: float = _DRAWN) -> list[Pair]:
    """Old and new from different families of one writer and language."""
    beside: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        beside.setdefault((pair.writer, pair.language), []).append(pair)
    made = []
    for pair in _some(pairs, share, rng):
        rest = [each for each in beside[pair.writer, pair.language] if each.old != pair.old]
        if rest:
            new = rng.choice(rest).new
            made.append(Pair(pair.old, new, "other", pair.writer, pair.language))
    return made


def same_again(pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """A text beside itself in other typing."""
    made = []
    for pair in _some(pairs, _SAME_AGAIN, rng):
        text = rng.choice((pair.old, pair.new))
        made.append(Pair(text, _retyped(text, rng), "repeats", pair.writer, pair.language))
    return made


def _retyped(text: str, rng: random.Random) -> str:
    """Up to two slips of two letters, and other marks."""
    words = text.split()
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(words))
        word = words[at]
        if len(word) >= _LONG and word.isalpha():
            cut = rng.randrange(1, len(word) - 1)
            words[at] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
    again = " ".join(words)
    full_stop = rng.random() < 0.5  # noqa: PLR2004
    return again.rstrip(".!") if full_stop else again.replace("'", "").replace(",", "")


def _some(pairs: Sequence[Pair], share: float, rng: random.Random) -> list[Pair]:
    return rng.sample(list(pairs), round(share * len(pairs)))
