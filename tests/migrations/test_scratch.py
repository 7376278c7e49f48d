from __future__ import annotations

import asyncpg
import pytest

from memory.embedded.services import Addresses
from migrations.scratch import create_database, scratch_database, settle, with_database


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("postgresql://ada:p@h:5/x?sslmode=require", "postgresql://ada:p@h:5/y?sslmode=require"),
        ("postgresql://o@/x?host=/run/s&port=1", "postgresql://o@/y?host=/run/s&port=1"),
        ("postgresql://h", "postgresql://h/y"),
    ],
)
def test_another_database_of_the_same_server(url: str, other: str) -> None:
    assert with_database(url, "y") == other


async def exists(url: str) -> bool:
    try:
        connection = await asyncpg.connect(url, timeout=10)
    except asyncpg.InvalidCatalogNameError:
        return False
    await connection.close(timeout=5)
    return True


async def test_it_lives_as_long_as_its_block(services: Addresses) -> None:
    async with scratch_database(services.database_url) as url:
        assert await exists(url)
        await settle(url)
    assert not await exists(url)


async def test_it_goes_although_somebody_is_connected(services: Addresses) -> None:
    with pytest.raises(RuntimeError):
        async with scratch_database(services.database_url) as url:
            left = await asyncpg.connect(url, timeout=10)
            raise RuntimeError
    assert not await exists(url)
    left.terminate()


async def test_one_that_exists_is_left_alone(services: Addresses, template: str) -> None:
    assert await create_database(services.database_url, template) is False
