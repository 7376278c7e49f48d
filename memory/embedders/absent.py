"""Stands for a model that this program has no way to ask."""

from __future__ import annotations

from collections.abc import Sequence

from memory.embedders.protocol import Embedding
from memory.errors import EmbeddingUnavailable
from memory.models import EmbeddingModel


class AbsentEmbedder:
    """Never answers, so that recall goes on with keywords and what is kept waits for its vector."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model.name
        self.dimensions = model.dimensions

    async def embed_query(self, text: str) -> Embedding:
        raise self._unavailable()

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise self._unavailable()

    async def aclose(self) -> None:
        return

    def _unavailable(self) -> EmbeddingUnavailable:
        reason = "this program's settings lack what it needs; set OPENAI_API_KEY or OPENAI_BASE_URL"
        return EmbeddingUnavailable(model=self.model, reason=reason)
