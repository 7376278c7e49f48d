"""A cache in front of an embedder, by model and content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from memory.config import LOCAL_MODEL
from memory.embeddings.protocol import Embedder, Embedding, cut_query

# A stored unit vector has this length up to float32 rounding; other bytes are not one.
LENGTH_TOLERANCE = 1e-3


class VectorCache(Protocol):
    """Bytes by content hash. It never raises: a failure is a miss, and its own warning."""

    async def get_many(self, content_hashes: Sequence[str]) -> Mapping[str, bytes]: ...

    async def set_many(self, values: Mapping[str, bytes]) -> None: ...

    async def drop_many(self, content_hashes: Sequence[str]) -> bool: ...


class CachedEmbedder:
    """Sends only what the cache does not hold to the `inner` embedder, each text once.

    A vector is kept as little-endian float32 bytes under the hash of model, dimensions and text,
    and of the local model, which gives a question another vector than a text, whether it asks.
    Bytes that are no unit vector of this model are a miss.
    """

    def __init__(self, inner: Embedder, cache: VectorCache) -> None:
        self.inner = inner
        self._cache = cache
        self.model = inner.model
        self.dimensions = inner.dimensions

    async def embed_query(self, text: str) -> Embedding:
        query = cut_query(text, self.model)
        key = self._hash(query, asks=True)
        cached = self._read(await self._cache.get_many([key]))
        if key in cached:
            return cached[key]
        embedding = await self.inner.embed_query(query)
        await self._cache.set_many({key: _to_bytes(embedding)})
        return embedding

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        by_hash = {self._hash(text): text for text in texts}
        embedded = self._read(await self._cache.get_many(list(by_hash)))
        missing = {key: text for key, text in by_hash.items() if key not in embedded}
        if missing:
            embedded |= await self._embed_and_keep(missing)
        return [embedded[self._hash(text)] for text in texts]

    async def forget(self, texts: Sequence[str]) -> bool:
        """Removes the vectors of these texts; False where the cache could not be asked,
        in which case they leave it with their time to live."""
        keys = [self._hash(text, asks=asks) for text in texts for asks in (False, True)]
        return await self._cache.drop_many(keys)

    async def aclose(self) -> None:
        await self.inner.aclose()

    async def _embed_and_keep(self, missing: Mapping[str, str]) -> dict[str, Embedding]:
        vectors = await self.inner.embed_texts(list(missing.values()))
        fresh = dict(zip(missing, vectors, strict=True))
        await self._cache.set_many({key: _to_bytes(vector) for key, vector in fresh.items()})
        return fresh

    def _read(self, stored: Mapping[str, bytes]) -> dict[str, Embedding]:
        read = {key: _from_bytes(raw, self.dimensions) for key, raw in stored.items()}
        return {key: embedding for key, embedding in read.items() if embedding is not None}

    def _hash(self, text: str, *, asks: bool = False) -> str:
        asks = asks and self.model == LOCAL_MODEL
        return content_hash(self.model, self.dimensions, text, asks=asks)


def content_hash(model: str, dimensions: int, text: str, *, asks: bool = False) -> str:
    """SHA-256 in hexadecimal over model, dimensions and text, parted by NUL, behind “query” where
    it asks."""
    content = f"{model}\0{dimensions}\0{text}"
    if asks:
        content = f"query\0{content}"
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _to_bytes(embedding: Embedding) -> bytes:
    return embedding.astype("<f4").tobytes()


def _from_bytes(raw: bytes, dimensions: int) -> Embedding | None:
    if len(raw) != 4 * dimensions:
        return None
    embedding = np.frombuffer(raw, dtype="<f4").astype(np.float32)
    length = float(np.linalg.norm(embedding))
    # A NaN length compares false, so it is a miss as well.
    return embedding if abs(length - 1.0) < LENGTH_TOLERANCE else None
