"""The local model, which works each batch out once in a test process."""

from __future__ import annotations

from collections.abc import Sequence

from memory.embeddings.local import TextModel
from memory.embeddings.protocol import Embedding


class EmbeddingOnce:
    """Tests say the same sentences over and over. A batch is known by all that is in it, since the
    model rounds each text a little differently beside others: the vectors are those of the model,
    whatever ran before."""

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self._known: dict[tuple[tuple[int, ...], ...], Embedding] = {}

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        return self._model.tokenise(texts)

    def embed(self, batch: Sequence[list[int]]) -> Embedding:
        key = tuple(map(tuple, batch))

        if key not in self._known:
            self._known[key] = self._model.embed(batch)
        vectors: Embedding = self._known[key].copy()
        return vectors
