"""How a new text stands to older ones of the same person: the encoder reads both at once.

docs/decisions/0026-relations.md has its figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from memory.understanding.encoded_text import softmax
from memory.understanding.multilingual_encoder import (
    PAIR_TOKENS,
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
