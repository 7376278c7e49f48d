"""Which words of a command are what it is about, by linear heads on each word and gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.understanding.linear_models import (
    Buckets,
    LinearHead,
    Token,
    character_ngrams,
    hash_features,
    load_heads,
    tokenize,
)
from memory.understanding.types import CommandName

BUCKETS = 2**15
FILE = Path(__file__).parent / "commands.npz"
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

    tag: LinearHead
    begin: LinearHead
    end: LinearHead

    def marked(self, text: str, name: CommandName) -> Mapping[str, str]:
        """The words of each tag, but for those that it has none of."""
        tokens = tokenize(text)[:_MOST_TOKENS]
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
        if name == "edit":
            found |= self._corrected(text, found)
        return {tag: words for tag, words in found.items() if words}

    def _corrected(self, text: str, found: Mapping[str, str]) -> dict[str, str]:
        """What an edit is about: what the words beside the new ones would be about as a question
        for it, or where no old ones are named as a wish to pin it."""
        new = found.get("new")
        beside = text.split(new, 1) if new else [text]
        asked: tuple[CommandName, ...] = ("about",) if found.get("old") else ("about", "pin")
        named = (self.marked(each, name).get("object") for name in asked for each in beside)
        return {"object": words} if (words := next(filter(None, named), None)) else {}


def tag_features(tokens: Sequence[Token], at: int, name: str) -> Buckets:
    """Of one word or mark of what was said, given the command that it is."""
    near = _near(tokens, at, 3, 4)
    before = [each.folded for each in tokens[max(0, at - 8) : at]]
    marks = [each.folded for each in tokens[:at] if not each.is_word]
    return hash_features(
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
    return hash_features(
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


@cache
def load_object_heads(path: Path = FILE) -> ObjectHeads:
    """Read once."""
    heads = load_heads(path)
    return ObjectHeads(heads["tag"], heads["begin"], heads["end"])
