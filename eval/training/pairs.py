"""Pairs of texts that nobody had to write: two that have nothing to do with each other, and one
that is type_message again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eval.training.data import Frames
from eval.training.examples import OVER, Pair
from memory.understanding.relations import Relation

# As shares of the written pairs.
_DRAWN, _SAME_AGAIN = 0.5, 0.06
# Of so many texts the one that shares the most words is as near as a memory that is judged.
_LOOKED_AT, _NEAR = 12, 0.5
# How a later sentence of a thing's frames stands to the first, and which frames tell it so.
_SAID_LATER: Mapping[str, Sequence[tuple[Relation, str]]] = {
    "one": (
        ("replaces", "say"), ("replaces", "change"), ("replaces", "change"), ("ends", "end"),
        ("repeats", "say"), ("other", "also"), ("other", "other"),
    ),
    "many": (
        ("other", "say"), ("other", "say"), ("repeats", "say"), ("other", "also"),
        ("other", "other"),
    ),
}  # fmt: skip
_EXCHANGED, _SAME_VALUE, _SLOPPY = 10, 0.3, 0.15
_SMALL, _OTHER_END = 0.25, 0.3
# Words shorter than this are type_message without a slip.
_LONG = 4


def drawn(pairs: Sequence[Pair], rng: random.Random, share: float = _DRAWN) -> list[Pair]:
    """Old and new from different families of one writer and language: at random, or of some the
    old one that shares the most words with the new."""
    beside: dict[tuple[str, str], list[str]] = {}
    written: dict[str, set[str]] = {}
    for pair in pairs:
        beside.setdefault((pair.writer, pair.language), []).append(pair.old)
        written.setdefault(pair.new, set()).add(pair.old)
    made = []
    for pair in _some(pairs, share, rng):
        olds, words = beside[pair.writer, pair.language], _words(pair.new)
        some = rng.sample(olds, min(_LOOKED_AT, len(olds)))
        if rest := [each for each in some if each not in written[pair.new]]:
            near = max(rest, key=lambda each: len(words & _words(each)))
            old = near if rng.random() < _NEAR else rest[0]
            made.append(Pair(old, pair.new, "other", pair.writer, pair.language, ()))
    return made


def _words(text: str) -> set[str]:
    return set(text.casefold().split())


def same_again(pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """A text beside itself in other typing."""
    made = []
    for pair in _some(pairs, _SAME_AGAIN, rng):
        text = rng.choice((pair.old, pair.new))
        made.append(Pair(text, _retyped(text, rng), "repeats", pair.writer, pair.language, ()))
    return made


def exchanged(frames: Sequence[Frames], rng: random.Random, each: int = _EXCHANGED) -> list[Pair]:
    """Made by exchanging the value in the same sentence or another; so many for each thing."""
    return [_exchanged(thing, rng) for thing in frames for _ in range(each)]


def _exchanged(thing: Frames, rng: random.Random) -> Pair:
    """Of what one has one of, another value takes the place of the first; of what one may have
    many of, as of another thing or of somebody else, both hold."""
    value, another = rng.sample(thing.values, 2)
    relation, later = rng.choice(_SAID_LATER[thing.kind])
    text = rng.choice(getattr(thing, later) or thing.say)
    same = relation == "repeats" or (later in ("also", "other") and rng.random() < _SAME_VALUE)
    old = rng.choice([*thing.say, *thing.change]).replace("{v}", value)
    if later == "end" and not thing.end:
        relation = "replaces" if thing.kind == "one" else "other"
    new = text.replace("{v}", value if same else another)
    if rng.random() < _SLOPPY:
        new = new.casefold() if thing.language != "de" else new
    gone = [(0, len(old))] if relation in OVER else ()
    return Pair(old, new, relation, thing.writer, thing.language, gone)


def retyped(pair: Pair, rng: random.Random) -> Pair:
    """As somebody else types both, sometimes: in small letters, with a full stop or without."""
    return replace(pair, old=_typed(pair.old, rng), new=_typed(pair.new, rng))


def _typed(text: str, rng: random.Random) -> str:
    """As long as before, but for its end."""
    if rng.random() < _SMALL and len(text.lower()) == len(text):
        text = text.lower()
    if rng.random() >= _OTHER_END:
        return text
    return text.rstrip(". ") or text if text.endswith(".") else f"{text}."


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
