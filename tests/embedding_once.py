"""The local model, which works each batch out once in a test process."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.embeddings.local import TextModel
from memory.embeddings.protocol import Embedding


class EmbeddingOnce:
    """Tests say the same sentences over and over."""

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self._known: dict[str, Embedding] = {}

    def embed(self, texts: Sequence[str]) -> Embedding:
        if new := [each for each in dict.fromkeys(texts) if each not in self._known]:
            self._known |= zip(new, self._model.embed(new), strict=True)
        return np.stack([self._known[each] for each in texts])
