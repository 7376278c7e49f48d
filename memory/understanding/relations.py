"""How a new text stands to older ones of the same person: the encoder reads both at once.

docs/decisions/0026-relations.md has its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Literal, get_args

import numpy as np

from memory.understanding.encoded_text import (
    TextWord,
    find_words,
    softmax,
)
from memory.understanding.multilingual_encoder import (
    PAIR_TOKENS,
    UNKNOWN,
    load_multilingual_encoder,
    pair_input,
    pooled_pair,
)

Relation = Literal["replaces", "ends", "repeats", "adds", "other"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class Relations:
    """The probabilities of all relations of a new text to an older one; their sum is 1. `whole`
    says that the model saw all of both: of a long pair the end is left out."""

    replaces: float
    ends: float
    repeats: float
    adds: float
    other: float
    whole: bool = True

    @property
    def over(self) -> float:
        """That the older one holds no more."""
        return self.replaces + self.ends


# The slowest texts have a few characters a token; more only cost time.
_CHARACTERS = 2048
UNRELATED = Relations(0.0, 0.0, 0.0, 0.0, 1.0)


def relations_of(new: str, older: Sequence[str]) -> list[Relations]:
    """Of the new text to each of the older ones, in their order. Blocking: some 5 ms a pair, and a
    third of a second for the first of all."""
    if not older:
        return []
    encoder = load_multilingual_encoder()
    newer, *known = (encoder.tokens(each[:_CHARACTERS]).ids for each in (new, *older))
    rows = [pair_input(each[:PAIR_TOKENS], newer[:PAIR_TOKENS]) for each in known]
    vectors = [pooled_pair(*each) for each in zip(encoder.run(rows), rows, strict=True)]
    shares = softmax(encoder.head("relation", np.array(vectors))).tolist()
    return [
        Relations(
            **dict(zip(RELATIONS, told, strict=True)),
            whole=max(len(each), len(newer)) <= PAIR_TOKENS,
        )
        for told, each in zip(shares, known, strict=True)
    ]


def over_words(new: str, old: str) -> list[tuple[TextWord, float]]:
    """Each word and mark of the old text, with the log odds that it holds no more beside the new
    one; none where the model does not see all of both. Blocking, 10 ms."""
    encoder = load_multilingual_encoder()
    older, newer = (encoder.tokens(each[:_CHARACTERS]) for each in (old, new))
    seen = max(len(old), len(new)) <= _CHARACTERS
    longest = max(len(older.ids), len(newer.ids))
    if not seen or not older.ids or longest > PAIR_TOKENS or _is_unknown(older.ids):
        return []
    [hidden] = encoder.run([pair_input(older.ids, newer.ids)])
    odds = encoder.head("gone", hidden[1 : len(older.ids) + 1])[:, 0].tolist()
    return [
        (word, mean(own))
        for word in find_words(old)
        if (own := _of_word(word, zip(older.offsets, odds, strict=True)))
    ]


def _is_unknown(ids: Sequence[int]) -> bool:
    """Whether most of its signs are of letters that the encoder does not know."""
    return 2 * ids.count(UNKNOWN) > len(ids)


def _of_word(word: TextWord, odds: Iterable[tuple[tuple[int, int], float]]) -> list[float]:
    """Those of its tokens; none for signs that the encoder does not see."""
    return [each for (start, end), each in odds if start < word.end and end > word.start]
