"""Takes everything of one kind out of Redis."""

from __future__ import annotations

from redis.asyncio import Redis

from memory.cache.connection import Cache, key

AT_ONCE = 500


async def clear(cache: Cache, kind: str) -> None:
    """What a Redis that is away holds leaves it with its time to live."""

    cursor = 0

    async def some(redis: Redis) -> int:
        after, keys = await redis.scan(cursor, match=f"{key(kind)}:*", count=AT_ONCE)
        if keys:
            await redis.delete(*keys)
        return int(after)

    while cursor := await cache.run(some, otherwise=0):
        pass
