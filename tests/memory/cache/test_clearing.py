from __future__ import annotations

from uuid import uuid4

from redis.asyncio import Redis

from memory.cache import SCAN_COUNT, Cache, clear_keys, redis_key


async def test_one_kind_goes_and_the_others_stay(cache: Cache) -> None:
    kind, other = uuid4().hex, uuid4().hex

    async def fill(redis: Redis) -> None:
        await redis.mset({redis_key(kind, str(n)): "1" for n in range(SCAN_COUNT * 2)})
        await redis.mset({redis_key(other, "1"): "1", f"{kind}longer:1": "1"})

    async def left(redis: Redis) -> set[bytes]:
        return {each async for each in redis.scan_iter(match=f"*{kind}*", count=1000)} | {
            each async for each in redis.scan_iter(match=f"{other}*", count=1000)
        }

    await cache.run(fill, otherwise=None)
    assert await clear_keys(cache, kind)
    nothing: set[bytes] = set()
    assert await cache.run(left, otherwise=nothing) == {
        f"{other}:1".encode(),
        f"{kind}longer:1".encode(),
    }


async def test_a_redis_that_is_away_is_left_alone_and_nothing_is_said_to_be_gone() -> None:
    nowhere = Cache("unix:///nowhere/at/all.sock")
    assert not await clear_keys(nowhere, "session")
    await nowhere.aclose()
