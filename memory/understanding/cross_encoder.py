"""Whether a memory answers a question, from reading the two together: what is about the same thing
and says nothing of what is asked lies as near by its vector as what answers.

Trained by `python -m eval.training cross-encoder`; see docs/decisions/0033-cross-encoder.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memory.package_files import LoadedOnce, open_network
from memory.understanding.multilingual_encoder import (
    UNKNOWN,
    MultilingualEncoder,
    load_multilingual_encoder,
    pair_input,
    pooled_pair,
)

CROSS_LAYERS_FILE = Path(__file__).with_name("cross_encoder.onnx")
CROSS_HEAD_FILE = Path(__file__).with_name("cross_encoder.npz")
QUESTION_TOKENS, MEMORY_TOKENS = 60, 120
_MAX_CHARACTERS = 2_000
_HEAD = "answers"
# Of a text in other letters than Latin hardly a piece is known.
_MOST_UNKNOWN = 0.3


class PairLogits(NamedTuple):
    """The log-odds that a memory answers a question by itself, and that it is about the same."""

    answers: float
    related: float


@dataclass(frozen=True)
class CrossEncoder:
    """Blocking calls; some 10 ms for a memory of twenty words."""

    encoder: MultilingualEncoder

    def read(self, question: str, memories: Sequence[str]) -> list[PairLogits | None]:
        """What is read of each memory; None of one that is too long to be read to its end, and
        where its letters or the question's are not known."""
        asked = self._pieces(question, QUESTION_TOKENS)
        return [self._read(asked, self._pieces(each, MEMORY_TOKENS)) for each in memories]

    def _read(self, asked: list[int] | None, told: list[int] | None) -> PairLogits | None:
        if not asked or not told:
            return None
        row = pair_input(asked, told)
        (hidden,) = self.encoder.run([row])
        logits = self.encoder.head(_HEAD, pooled_pair(hidden, row))
        return PairLogits(float(logits[0]), float(logits[1]))

    def _pieces(self, text: str, most: int) -> list[int] | None:
        ids = self.encoder.tokens(text[:_MAX_CHARACTERS]).ids
        if len(ids) > most or ids.count(UNKNOWN) > _MOST_UNKNOWN * len(ids):
            return None
        return ids


@LoadedOnce
def load_cross_encoder() -> CrossEncoder:
    """Takes a third of a second."""
    with np.load(CROSS_HEAD_FILE) as stored:
        heads = {f"{_HEAD}.{name}": stored[name].astype(np.float32) for name in ("kernel", "bias")}
        types = stored["types"].astype(np.float32)
    session = open_network(CROSS_LAYERS_FILE.read_bytes())
    whole = load_multilingual_encoder()
    return CrossEncoder(replace(whole, session=session, types=types, heads=heads))
