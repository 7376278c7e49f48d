"""Which words of a command are what it is about: linear heads over each word, and over where such
words begin and end. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from memory.understanding.features import Buckets, Token, hashed, tokens_of
from memory.understanding.ngrams import character_ngrams
from memory.understanding.reading import CommandName
from memory.understanding.weights import Head

BUCKETS = 2**15
TAGS = ("outside", "object", "old", "new")
# What a word inside counts against a beginning and an end, and what one more word is worth: words
# too many are seen, words that are lost are not.
_INSIDE, _ONE_MORE = 0.3, 1.0
# Of longer texts the end is left out.
_MOST_TOKENS = 120
_MARKS = " \t\n.,;:!?…–—-"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "(": ")"}
Logits = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ObjectHeads:
    """Each decides between TAGS: `tag` of a word, `begin` and `end` of the gap before a word."""

    tag: Head
    begin: Head
    end: Head

    def marked(self, text: str, name: CommandName) -> Mapping[str, str]:
        """The words of each tag, but for those that it has none of."""
        tokens = tokens_of(text)[:_MOST_TOKENS]
        if not tokens:
            return {}
        words = [tag_features(tokens, at, name) for at in range(len(tokens))]
        gaps = [edge_features(tokens, at, name) for at in range(len(tokens) + 1)]
        inside, begin, end = (
            np.array([head.logits(each) for each in told])
            for head, told in ((self.tag, words), (self.begin, gaps), (self.end, gaps))
        )
        taken = np.zeros(len(tokens), np.bool_)
        found: dict[str, str] = {}
        for tag in ("new", "old") if name == "edit" else ("object",):
            run = _best(inside, begin, end, TAGS.index(tag), taken)
            if run is not None:
                taken[slice(*run)] = True
                found[tag] = _words(text, tokens, run)
        return {tag: words for tag, words in found.items() if words}


def tag_features(tokens: Sequence[Token], at: int, name: str) -> Buckets:
    """Of one word or mark of what was said, given the command that it is."""
    near = _near(tokens, at, 3, 4)
    before = [each.folded for each in tokens[max(0, at - 8) : at]]
    marks = [each.folded for each in tokens[:at] if not each.is_word]
    return hashed(
        [
            *(f"{step}={word}" for step, word in near.items()),
            *_pairs(near),
            *(f"before={each}" for each in before),
            *(f"after={each.folded}" for each in tokens[at + 1 : at + 9]),
            *(f"{name} before={each}" for each in before),
            *character_ngrams(f" {tokens[at].folded} "),
            f"{name} at={min(at, 12)}",
            f"{name} to={min(len(tokens) - at, 12)}",
            f"{name} mark={marks[-1] if marks else ''}",
            f"{name} shape={tokens[at].shape}",
            f"{name} word={tokens[at].folded}",
            f"{name} marks={min(len(marks), 3)} {near[-1]}",
            name,
        ],
        BUCKETS,
    )


def edge_features(tokens: Sequence[Token], gap: int, name: str) -> Buckets:
    """Of the gap before the token of this number, or behind the last, given the command."""
    near, shapes = _near(tokens, gap, 5, 5), _near(tokens, gap, 4, 4, shape=True)
    kind = name if name == "edit" else "other"
    threes = ((step, near[step], near[step + 1], near[step + 2]) for step in range(-3, 2))
    beside = (("R", tokens[gap : gap + 1]), ("L", tokens[max(0, gap - 1) : gap]))
    sides = [(side, f" {each.folded} ") for side, words in beside for each in words]
    return hashed(
        [
            *(f"{step}={word}" for step, word in near.items()),
            *(f"s{step}={shape}" for step, shape in shapes.items()),
            *_pairs(near),
            *(f"t{step}={a} {b} {c}" for step, a, b, c in threes),
            *(f"{kind} {step}={near[step]}" for step in (-2, -1, 0, 1)),
            *(f"{name} {step}={near[step]}" for step in (-1, 0)),
            *(f"before={each.folded}" for each in tokens[max(0, gap - 10) : gap]),
            *(f"after={each.folded}" for each in tokens[gap : gap + 10]),
            *(f"{side}{each}" for side, word in sides for each in character_ngrams(word)),
            f"x={shapes[-1]} {shapes[0]}",
            f"y={shapes[-1]} {near[0]}",
            f"z={near[-1]} {shapes[0]}",
            f"{kind} at={min(gap, 10)}",
            f"{kind} to={min(len(tokens) - gap, 10)}",
            f"marks={_has_mark(tokens[:gap])},{_has_mark(tokens[gap:])} {shapes[-1]}",
            name,
        ],
        BUCKETS,
    )


def _near(
    tokens: Sequence[Token], at: int, before: int, after: int, *, shape: bool = False
) -> dict[int, str]:
    """By how far from there each stands; "^" and "$" beyond the ends."""
    told = {}
    for step in range(-before, after):
        inside = 0 <= at + step < len(tokens)
        token = tokens[at + step] if inside else None
        beyond = "^" if step < 0 else "$"
        told[step] = beyond if token is None else token.shape if shape else token.folded
    return told


def _pairs(near: Mapping[int, str]) -> list[str]:
    return [f"{step}&{step + 1}={a} {b}" for (step, a), (_, b) in pairwise(near.items())]


def _has_mark(tokens: Sequence[Token]) -> bool:
    return any(not each.is_word for each in tokens)


def _best(
    inside: Logits, begin: Logits, end: Logits, tag: int, taken: npt.NDArray[np.bool_]
) -> tuple[int, int] | None:
    """The most probable run of tokens of this tag, of none that is taken; None where no word is
    one."""
    gains = inside[:, tag] - np.delete(inside, tag, axis=1).max(axis=1)
    if gains.max() <= 0:
        return None
    gains = np.where(taken, -np.inf, _INSIDE * (gains + _ONE_MORE))
    begins, ends = begin[:, tag] - begin[:, 0], end[:, tag] - end[:, 0]
    best, run = -np.inf, None
    open_at, so_far = 0, -np.inf
    for at, gain in enumerate(gains):
        if begins[at] >= so_far:
            open_at, so_far = at, float(begins[at])
        so_far += gain
        if so_far + ends[at + 1] > best:
            best, run = so_far + ends[at + 1], (open_at, at + 1)
    return run


def _words(text: str, tokens: Sequence[Token], run: tuple[int, int]) -> str:
    """Without the marks and the quotation marks around them."""
    found = text[tokens[run[0]].start : tokens[run[1] - 1].end].strip(_MARKS)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_MARKS)
    return found
