"""How many requests a user may make in a minute."""

from __future__ import annotations

from redis.asyncio import Redis

from memory.cache.connection import Cache, key

SECONDS_TO_LIVE = 60


class RateLimiter:
    """`rate_limit:{user_id}`, a counter that starts with the first request and lives 60 seconds.

    A limit of 0 means no limit. Where Redis is away everybody is allowed: a lost counter
    must not lock people out of their own memories.
    """

    def __init__(self, cache: Cache, limit_per_minute: int) -> None:
        self._cache = cache
        self._limit = limit_per_minute

    async def allow(self, user_id: str) -> bool:
        """Counts this request, also a refused one, and says whether it is within the limit."""
        if self._limit == 0:
            return True
        name = key("rate_limit", user_id)

        async def count(redis: Redis) -> int:
            # Not INCR with EXPIRE NX: servers before Redis 7 refuse that after they
            # counted, which leaves a counter that never ends.
            async with redis.pipeline(transaction=True) as pipeline:
                pipeline.set(name, 0, ex=SECONDS_TO_LIVE, nx=True)
                pipeline.incr(name)
                _, counted = await pipeline.execute()
                return int(counted)

        return await self._cache.run(count, otherwise=0) <= self._limit
