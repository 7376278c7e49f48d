"""How a new text stands to older ones of the same person, by a fine-tuned encoder of pairs.

Weights by `python -m eval.training`; docs/decisions/0026-relations.md has its figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from memory.understanding.fine_tuned_encoder import FineTunedEncoder, load_fine_tuned

Relation = Literal["replaces", "ends", "repeats", "adds", "other"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
FILE = Path(__file__).parent / "relations.npz"


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


UNRELATED = Relations(0.0, 0.0, 0.0, 0.0, 1.0)


def relations_of(new: str, older: Sequence[str]) -> list[Relations]:
    """Of the new text to each of the older ones, in their order. Blocking: some 5 ms a pair, and
    half a second for the first of all. Raises ModelFileChanged."""
    if not older:
        return []
    pairs = [(each, new) for each in older]
    model = load_pair_model()
    told = zip(model.probabilities(pairs).tolist(), model.fits(pairs), strict=True)
    return [
        Relations(**dict(zip(RELATIONS, shares, strict=True)), whole=whole)
        for shares, whole in told
    ]


@cache
def load_pair_model() -> FineTunedEncoder:
    """Read once."""
    return load_fine_tuned(FILE)
