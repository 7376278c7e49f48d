from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from memory.cache import Cache, RateLimiter


async def test_exactly_the_limit_is_allowed_however_requests_race(cache: Cache) -> None:
    limiter = RateLimiter(cache, limit_per_minute=5)
    answers = await asyncio.gather(*(limiter.allow("ann") for _ in range(20)))
    assert answers.count(True) == 5


async def test_one_user_does_not_use_up_anothers_limit(cache: Cache) -> None:
    limiter = RateLimiter(cache, limit_per_minute=1)
    assert [await limiter.allow(user) for user in ("ann", "bob", "ann", "bob")] == [
        True,
        True,
        False,
        False,
    ]


async def test_the_minute_starts_with_the_first_request(cache: Cache, redis: Redis) -> None:
    limiter = RateLimiter(cache, limit_per_minute=9)
    await limiter.allow("ann")
    assert 50 < await redis.ttl("rate_limit:ann") <= 60
    await redis.expire("rate_limit:ann", 20)
    await limiter.allow("ann")
    assert await redis.ttl("rate_limit:ann") <= 20
    assert await redis.get("rate_limit:ann") == b"2"


async def test_a_new_minute_starts_from_nothing(cache: Cache, redis: Redis) -> None:
    limiter = RateLimiter(cache, limit_per_minute=1)
    assert await limiter.allow("ann")
    assert not await limiter.allow("ann")
    await redis.pexpire("rate_limit:ann", 0)
    assert await limiter.allow("ann")


async def test_a_limit_of_zero_is_no_limit(cache: Cache, redis: Redis) -> None:
    limiter = RateLimiter(cache, limit_per_minute=0)
    assert all([await limiter.allow("ann") for _ in range(5)])
    assert await redis.keys() == []


async def test_without_redis_everybody_is_allowed(cache_away: Cache) -> None:
    limiter = RateLimiter(cache_away, limit_per_minute=1)
    assert [await limiter.allow("ann") for _ in range(3)] == [True] * 3
