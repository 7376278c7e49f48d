"""An embedder behind an error guard: while it is left alone, recall goes on with keywords at
once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from memory.embedders.protocol import Embedder, Embedding
from memory.error_sentence import in_seconds
from memory.errors import EmbeddingRefused, EmbeddingUnavailable, LeftAlone
from memory.guard import Guard


class GuardedEmbedder:
    """Every failure of the `inner` embedder counts, but for texts of a batch that it refuses: those
    are looked for among the others, one refusal after the other."""

    def __init__(self, inner: Embedder, guard: Guard) -> None:
        self.inner = inner
        self.model = inner.model
        self.dimensions = inner.dimensions
        self._guard = guard

    async def embed_query(self, text: str) -> Embedding:
        async with self._watched(_counts):
            return await self.inner.embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        async with self._watched(_counts_of_texts):
            return await self.inner.embed_texts(texts)

    async def aclose(self) -> None:
        await self.inner.aclose()

    @asynccontextmanager
    async def _watched(self, counts: Callable[[Exception], bool]) -> AsyncIterator[None]:
        try:
            async with self._guard.watch(counts):
                yield
        except LeftAlone as error:
            wait = in_seconds(error.fields["seconds"])
            reason = f"it failed too often and is left alone for {wait}"
            raise EmbeddingUnavailable(model=self.model, reason=reason) from None


def _counts(_error: Exception) -> bool:
    return True


def _counts_of_texts(error: Exception) -> bool:
    return not isinstance(error, EmbeddingRefused)
