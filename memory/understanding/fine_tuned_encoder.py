"""The sentence encoder with its upper layers trained anew for one task, and a head on it.

The weights of a task are a file beside this module, written by `python -m eval.training`: int8
kernels of the layers that were trained, with a scale for each column, by their places in the
encoder's file; and the head. Blocking calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memory.encoder import Encoder, load_encoder, load_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# As in the training: of what is longer the end is left out.
TOKENS = 64
_BATCH = 16
# The slowest texts have a few characters a token; more characters only cost time.
_CHARACTERS = 2048
_KERNEL, _BIAS = "head.kernel", "head.bias"
Array = npt.NDArray[np.float32]
# One text, or an older one and a newer one.
Input = str | tuple[str, str]


@dataclass(frozen=True)
class FineTunedEncoder:
    """`kernel` (768, labels) stands on the mean of a text's tokens and its first token."""

    tokenizer: Tokenizer
    encoder: Encoder
    kernel: Array
    bias: Array

    def probabilities(self, inputs: Sequence[Input]) -> Array:
        """(inputs, labels); some 5 ms for each input of thirty tokens."""
        return self.shares(self.vectors(inputs))

    def vectors(self, inputs: Sequence[Input]) -> Array:
        """(inputs, 768): of each the mean of its tokens and its first token."""
        found = self.tokenizer.encode_batch([_cut(each) for each in inputs])
        vectors = np.zeros((len(inputs), len(self.kernel)), dtype=np.float32)
        for chosen in _batches([len(each.ids) for each in found]):
            ids, types = [found[at].ids for at in chosen], [found[at].type_ids for at in chosen]
            hidden, own = self.encoder.run(ids, types)
            mean = (hidden * own).sum(axis=1) / own.sum(axis=1)
            vectors[chosen] = np.concatenate([mean, hidden[:, 0]], axis=-1)
        return vectors

    def shares(self, vectors: Array) -> Array:
        """(inputs, labels) of these vectors."""
        logits = vectors @ self.kernel + self.bias
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float32)

    def fits(self, inputs: Sequence[Input]) -> list[bool]:
        """Which of them are read to their end."""
        found = self.tokenizer.encode_batch([_cut(each) for each in inputs])
        return [
            not each.overflowing and _cut(told) == told
            for each, told in zip(found, inputs, strict=True)
        ]


def load_fine_tuned(path: Path) -> FineTunedEncoder:
    """Takes about half a second. Raises ModelFileChanged where a package's file is another one."""
    with np.load(path) as stored:
        weights = {name: stored[name] for name in stored.files}
    kernel, bias = weights.pop(_KERNEL), weights.pop(_BIAS)
    encoder = load_encoder({int(place): values for place, values in weights.items()})
    return FineTunedEncoder(load_tokenizer(TOKENS), encoder, kernel, bias)


def _cut(text: Input) -> Input:
    return (
        text[:_CHARACTERS]
        if isinstance(text, str)
        else (text[0][:_CHARACTERS], text[1][:_CHARACTERS])
    )


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The shortest first: padding stays small."""
    order = sorted(range(len(lengths)), key=lambda at: lengths[at])
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]
