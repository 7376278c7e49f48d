from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from memory.cache import Cache
from memory.local_services.services import LocalServices
from tests.patience import PATIENCE


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    home = Path(tempfile.mkdtemp(prefix="ks", dir="/tmp"))  # short, for the socket's sake
    services = LocalServices(home, postgres=False)
    try:
        yield asyncio.run(services.start()).redis_url
    finally:
        asyncio.run(services.stop())
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
async def redis(valkey_url: str) -> AsyncIterator[Redis]:
    """A plain client on an empty database, to look behind the cache's back."""
    async with Redis.from_url(valkey_url) as client:
        await client.flushdb()
        yield client


@pytest.fixture
async def cache(valkey_url: str, redis: Redis) -> AsyncIterator[Cache]:
    connected = Cache(valkey_url, timeout=PATIENCE)
    yield connected
    await connected.aclose()


@pytest.fixture
async def cache_away(tmp_path: Path) -> AsyncIterator[Cache]:
    """A cache whose server does not exist."""
    away = Cache(f"unix://{tmp_path}/no.sock")
    yield away
    await away.aclose()
