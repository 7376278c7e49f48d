"""Vectors that were paid for once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from redis.asyncio import Redis

from memory.cache.connection import Cache, key

SECONDS_TO_LIVE = 7 * 24 * 60 * 60
# Of one request, about 1.5 MB of 1,536-dimension vectors: well within the read timeout.
REQUEST_KEYS = 256


class EmbeddingCache:
    """`embedding_cache:{content_hash}`, bytes that live 7 days."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def get_many(self, content_hashes: Sequence[str]) -> dict[str, bytes]:
        """What is kept, by hash; nothing where Redis is away."""
        kept: dict[str, bytes] = {}
        for start in range(0, len(content_hashes), REQUEST_KEYS):
            kept |= await self._get(content_hashes[start : start + REQUEST_KEYS])
        return kept

    async def set_many(self, values: Mapping[str, bytes]) -> None:
        remaining = iter(values.items())
        while some := dict(islice(remaining, REQUEST_KEYS)):
            await self._set(some)

    async def drop_many(self, content_hashes: Sequence[str]) -> bool:
        """False where Redis is away, and the vectors may stay up to 7 days."""
        for start in range(0, len(content_hashes), REQUEST_KEYS):
            if not await self._drop(content_hashes[start : start + REQUEST_KEYS]):
                return False
        return True

    async def _drop(self, content_hashes: Sequence[str]) -> bool:
        async def remove(redis: Redis) -> bool:
            await redis.delete(*map(_key, content_hashes))
            return True

        return await self._cache.run(remove, otherwise=False)

    async def _get(self, content_hashes: Sequence[str]) -> dict[str, bytes]:
        async def read(redis: Redis) -> dict[str, bytes]:
            values = await redis.mget([_key(each) for each in content_hashes])
            found = zip(content_hashes, values, strict=True)
            return {each: value for each, value in found if isinstance(value, bytes)}

        nothing: dict[str, bytes] = {}
        return await self._cache.run(read, otherwise=nothing)

    async def _set(self, values: Mapping[str, bytes]) -> None:
        async def write(redis: Redis) -> None:
            async with redis.pipeline(transaction=False) as pipeline:
                for content_hash, value in values.items():
                    pipeline.set(_key(content_hash), value, ex=SECONDS_TO_LIVE)
                await pipeline.execute()

        await self._cache.run(write, otherwise=None)


def _key(content_hash: str) -> str:
    return key("embedding_cache", content_hash)
