"""An embedder that a test lets fail, or hold a call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memory.embeddings.protocol import Embedding
from memory.errors import EmbeddingUnavailable
from tests.memory.fakes import WordEmbedder


class FailingEmbedder(WordEmbedder):
    """Raises what stands in `failures`, one a call; while it is `held` a call begins and does not
    end."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[Exception] = []
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()

    def be_away(self, calls: int) -> None:
        away = EmbeddingUnavailable(model=self.model, reason="its server cannot be reached")
        self.failures += [away] * calls

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.begun.set()
        await self.free.wait()
        if self.failures:
            raise self.failures.pop(0)
        return await super().embed_texts(texts)
