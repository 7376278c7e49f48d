from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest
import redis.exceptions
from redis.asyncio import Redis

from tests.memory.embedded.conftest import Place, Running, cache


async def test_killed_it_is_revived_with_everything_in_it(place: Place) -> None:
    services = place.services(postgres=False)
    addresses = await services.start()
    async with cache(addresses) as client:
        await client.set("greeting", "hello")
        assert (await client.waitaof(1, 0, 5000))[0] == 1
    await place.kill("Valkey")
    assert await services.revive() == ["Valkey"]
    async with cache(addresses) as client:
        assert await client.get("greeting") == "hello"


async def test_killed_it_is_started_by_the_next_program(place: Place) -> None:
    first = place.services(postgres=False)
    addresses = await first.start()
    async with cache(addresses) as client:
        await client.set("greeting", "hello")
        await place.kill("Valkey")
        with pytest.raises(redis.exceptions.ConnectionError):
            await client.ping()
    second = place.services(postgres=False)
    await second.start()
    async with cache(addresses) as client:
        assert await client.get("greeting") == "hello"


async def test_it_is_a_cache_on_a_socket_and_nothing_else(running: Running) -> None:
    async with cache(running.addresses) as client:
        shown = await client.config_get("*")
        assert (shown["port"], shown["appendonly"]) == ("0", "yes")
        assert (shown["appendfsync"], shown["save"]) == ("everysec", "")
        assert shown["maxmemory"] == str(64 * 1024 * 1024)
        assert shown["maxmemory-policy"] == "allkeys-lru"


@contextlib.asynccontextmanager
async def less_memory(client: Redis) -> AsyncIterator[None]:
    before = str((await client.config_get("maxmemory"))["maxmemory"])
    await client.config_set("maxmemory", "4mb")
    try:
        yield
    finally:
        await client.flushdb()
        await client.config_set("maxmemory", before)


async def test_a_full_cache_drops_instead_of_refusing(running: Running) -> None:
    async with cache(running.addresses) as client, less_memory(client):
        for number in range(60):
            await client.set(f"key:{number}", "x" * 100_000)
        assert int((await client.info("stats"))["evicted_keys"]) > 0
        assert await client.get("key:59")
