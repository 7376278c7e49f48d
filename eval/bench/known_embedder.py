"""An embedder whose answers were made before: what is left of a recall is search and ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from memory.embedders.protocol import Embedder, Embedding


class KnownEmbedder:
    """Answers at once, and only the questions that it knows."""

    def __init__(self, model: str, dimensions: int, vectors: Mapping[str, Embedding]) -> None:
        self.model = model
        self.dimensions = dimensions
        self._vectors = vectors

    @classmethod
    async def of(cls, embedder: Embedder, questions: Sequence[str]) -> Self:
        """Asks the real one beforehand, as a recall would."""
        vectors = {question: await embedder.embed_query(question) for question in questions}
        return cls(embedder.model, embedder.dimensions, vectors)

    @property
    def questions(self) -> list[str]:
        return list(self._vectors)

    async def embed_query(self, text: str) -> Embedding:
        return self._vectors[text]

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [self._vectors[text] for text in texts]

    async def aclose(self) -> None:
        """There is nothing to close."""
