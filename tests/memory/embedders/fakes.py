"""Stand-ins that are passed in by constructor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from memory.embeddings.protocol import Embedding

DIMENSIONS = 4


class FakeEmbedder:
    """A vector that depends on the text alone; remembers what it was asked."""

    model = "fake"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.calls: list[list[str]] = []
        self.closed = False

    async def embed_query(self, text: str) -> Embedding:
        self.queries.append(text)
        return vector_of(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.calls.append(list(texts))
        return [vector_of(text) for text in texts]

    async def aclose(self) -> None:
        self.closed = True


class FakeVectorBytes:
    """A cache in a dictionary; away, it is what the real one is without Redis."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.away = False

    async def get_many(self, content_hashes: Sequence[str]) -> dict[str, bytes]:
        known = {} if self.away else self.kept
        return {each: known[each] for each in content_hashes if each in known}

    async def set_many(self, values: Mapping[str, bytes]) -> None:
        if not self.away:
            self.kept |= values

    async def drop_many(self, content_hashes: Sequence[str]) -> bool:
        for each in content_hashes:
            self.kept.pop(each, None)
        return not self.away


def vector_of(text: str) -> Embedding:
    raw = np.array([1.0, len(text), *text.encode("utf-8", "ignore")[:2], 0, 0])[:DIMENSIONS]
    return np.asarray(raw / np.linalg.norm(raw), dtype=np.float32)
