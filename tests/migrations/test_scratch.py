from __future__ import annotations

from uuid import uuid4

import asyncpg
import pytest

from memory.local_services.services import ServiceAddresses
from migrations.scratch import (
    abandoned_databases,
    drop_abandoned,
    scratch_database,
    with_database,
)
from tests.conftest import create_database


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
        connection = await asyncpg.connect(url, timeout=60)
    except asyncpg.InvalidCatalogNameError:
        return False
    await connection.close(timeout=60)
    return True


async def test_it_lives_as_long_as_its_block(services: ServiceAddresses) -> None:
    async with scratch_database(services.database_url) as url:
        assert await exists(url)
    assert not await exists(url)


async def test_it_goes_although_somebody_is_connected(services: ServiceAddresses) -> None:
    with pytest.raises(RuntimeError):
        async with scratch_database(services.database_url) as url:
            left = await asyncpg.connect(url, timeout=60)
            raise RuntimeError
    assert not await exists(url)
    left.terminate()


async def test_one_whose_program_was_killed_is_found_and_dropped(
    services: ServiceAddresses,
) -> None:
    """And no other: neither one in use, nor one that somebody is connected to, nor one of another
    name."""
    admin, prefix = services.database_url, f"keepsake_{uuid4().hex[:8]}"
    left, other = f"{prefix}_0123456789ab", f"{prefix}_mine"
    await create_database(admin, left)
    await create_database(admin, other)
    async with scratch_database(admin, prefix=prefix) as used:
        assert await abandoned_databases(admin, prefix) == [left]
        still = await asyncpg.connect(with_database(admin, left), timeout=60)
        await drop_abandoned(admin, prefix)
        assert await exists(with_database(admin, left))
        await still.close(timeout=60)
        await drop_abandoned(admin, prefix)
        assert not await exists(with_database(admin, left))
        assert await exists(used)
        assert await exists(with_database(admin, other))
    owner = await asyncpg.connect(admin, timeout=60)
    await owner.execute(f'DROP DATABASE "{other}"')
    await owner.close(timeout=60)
