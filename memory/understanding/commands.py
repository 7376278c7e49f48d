"""Which command a text is, if it is one.

A linear head over hashed n-grams and the vector of the fine-tuned encoder
(docs/decisions/0029-commands.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from memory.understanding.features import Buckets, hashed, sentence_features
from memory.understanding.ngrams import words
from memory.understanding.objects import BUCKETS, ObjectHeads
from memory.understanding.reading import COMMANDS, CommandName
from memory.understanding.weights import Array, Head, load_heads

LABELS = ("none", *COMMANDS)
FILE = Path(__file__).parent / "commands.npz"
WIDTH = 768


@dataclass(frozen=True)
class CommandHeads:
    """`vector` (WIDTH, labels) stands on the encoder's vector of the text."""

    command: Head
    vector: Array
    objects: ObjectHeads

    def shares(self, text: str, vector: Array) -> Mapping[str, float]:
        """How probable each command is, and that it is none."""
        logits = self.command.logits(command_features(text)) + vector @ self.vector
        shares = np.exp(logits - logits.max())
        return dict(zip(LABELS, (shares / shares.sum()).tolist(), strict=True))


@cache
def load_command_heads(path: Path = FILE) -> CommandHeads:
    """Read once."""
    heads = load_heads(path)
    with np.load(path) as stored:
        vector = stored["vector"].astype(np.float32)
    return CommandHeads(
        heads["command"], vector, ObjectHeads(heads["tag"], heads["begin"], heads["end"])
    )


def most_probable_command(shares: Mapping[str, float]) -> CommandName:
    return max(COMMANDS, key=lambda name: shares[name])


def command_features(text: str) -> Buckets:
    """Of a sentence or a part of one, whatever stands beside it."""
    tokens = words(text)
    features = [
        *sentence_features(text),
        *(f"over {a} {b}" for a, b in zip(tokens, tokens[2:], strict=False)),
    ]
    return hashed(features, BUCKETS)
