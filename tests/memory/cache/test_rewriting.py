from __future__ import annotations

from contextlib import aclosing

from pydantic import SecretStr
from redis.asyncio import Redis

from memory.cache import Cache
from memory.config import Settings


async def rewrites(redis: Redis) -> int:
    """How often the server was asked to write its file anew."""
    asked = await redis.info("commandstats")
    return int(asked.get("cmdstat_bgrewriteaof", {"calls": 0})["calls"])


async def test_the_file_of_a_server_that_others_use_is_left_alone(
    valkey_url: str, redis: Redis
) -> None:
    before = await rewrites(redis)
    async with aclosing(Cache(valkey_url)) as shared:
        await shared.rewrite_file()
    assert await rewrites(redis) == before


async def test_that_of_a_server_of_its_own_is_written_anew(valkey_url: str, redis: Redis) -> None:
    before = await rewrites(redis)
    async with aclosing(Cache(valkey_url, dedicated=True)) as own:
        await own.rewrite_file()
    assert await rewrites(redis) == before + 1


def test_a_server_is_shared_unless_it_is_said_to_be_its_own(settings: Settings) -> None:
    url = SecretStr("redis://localhost:6379/0")
    shared = settings.model_copy(update={"redis_url": url})
    dedicated = shared.model_copy(update={"redis_dedicated": True})
    found = [each.has_dedicated_redis for each in (settings, shared, dedicated)]
    assert found == [True, False, True]
