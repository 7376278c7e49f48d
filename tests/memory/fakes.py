"""Stand-ins that are passed in by constructor."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import numpy as np

from memory.config import LOCAL_DIMENSIONS
from memory.embeddings.protocol import Embedding
from memory.errors import EmbeddingRefused, EmbeddingUnavailable
from memory.store.remainders import FoundRemainders
from memory.types import StoredMemory
from memory.understanding import Interpretation, Kind, MessageText, Segment


class WordEmbedder:
    """The sum of a random direction for each word: texts that share words are near each other.
    Remembers what it was asked."""

    model = "words"
    dimensions = LOCAL_DIMENSIONS

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed_query(self, text: str) -> Embedding:
        return vector_of(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.texts += texts
        return [vector_of(text) for text in texts]

    async def aclose(self) -> None:
        pass


class BrokenEmbedder(WordEmbedder):
    """Fails like one whose server is away."""

    async def embed_query(self, text: str) -> Embedding:
        raise EmbeddingUnavailable(model=self.model, reason="its server cannot be reached")

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise EmbeddingUnavailable(model=self.model, reason="its server cannot be reached")


class RefusingEmbedder(WordEmbedder):
    """Takes no batch in which a text says "refused", or `everything`; counts the calls."""

    def __init__(self, *, everything: bool = False) -> None:
        super().__init__()
        self.calls = 0
        self._everything = everything

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.calls += 1
        if self._everything or any("refused" in text for text in texts):
            raise EmbeddingRefused(model=self.model, reason="it answered with status 400")
        return await super().embed_texts(texts)


class SilentEmbedder(WordEmbedder):
    """Never answers."""

    async def embed_query(self, text: str) -> Embedding:
        await asyncio.Event().wait()
        raise AssertionError

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        await asyncio.Event().wait()
        raise AssertionError


def vector_of(text: str) -> Embedding:
    return unit(np.sum([_direction(word) for word in text.casefold().split()], axis=0))


def unit(vector: Embedding) -> Embedding:
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def _direction(word: str) -> Embedding:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    drawn = np.random.default_rng(seed).normal(size=LOCAL_DIMENSIONS)
    return np.asarray(drawn, dtype=np.float32)


async def nothing_stays(_new: str, older: Sequence[StoredMemory]) -> FoundRemainders:
    """What still holds of replaced memories, to a test that is not about it."""
    return {(each.id, each.content): None for each in older}


class RereadsAs:
    """A second reader that hears these texts in whatever is said, else all of it as one; it raises
    what it is given. Remembers the messages."""

    def __init__(
        self,
        *texts: str,
        kind: Kind = "fact",
        bank: str = "General",
        error: Exception | None = None,
    ) -> None:
        self._texts = texts
        self._kind = kind
        self._bank = bank
        self._error = error
        self.read: list[MessageText] = []

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        self.read.append(message)
        if self._error is not None:
            raise self._error
        kind = self._kind
        return Interpretation(
            tuple(
                Segment(each, 0, len(each), kind, {kind: 1.0}, "identity", self._bank)
                for each in self._texts or (message.text,)
            )
        )
