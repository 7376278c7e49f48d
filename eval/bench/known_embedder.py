"""An embedder whose answers were made before: what is left of a recall is search and ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from memory.embedders.protocol import Embedder, Embedding
from memory.recall.question import without_names


class KnownEmbedder:
    """Answers at once, and only the questions that it knows."""

    def __init__(self, model: str, dimensions: int, vectors: Mapping[str, Embedding]) -> None:
        self.model = model
        self.dimensions = dimensions
        self._vectors = vectors

    @classmethod
    async def of(cls, embedder: Embedder, questions: Sequence[str]) -> Self:
        """Asks the real one beforehand what a recall would."""
        nameless = (without_names(question) for question in questions)
        texts = [*questions, *(text for text in nameless if text is not None)]
        vectors = {text: await embedder.embed_query(text) for text in texts}
        return cls(embedder.model, embedder.dimensions, vectors)

    async def embed_query(self, text: str) -> Embedding:
        return self._vectors[text]

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [self._vectors[text] for text in texts]

    async def aclose(self) -> None:
        """There is nothing to close."""
