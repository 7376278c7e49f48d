"""One database for all tests of a process: each test has users of its own, and no user sees
another's rows. A test that looks at everybody's takes `own_database_url`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from memory.local_services.services import ServiceAddresses
from migrations.scratch import create_database, scratch_database, with_database


@pytest.fixture(scope="session")
def database_url(services: ServiceAddresses, template: str) -> str:
    name = f"shared_{uuid4().hex[:12]}"
    asyncio.run(create_database(services.database_url, name, template))
    return with_database(services.database_url, name)


@pytest.fixture
async def own_database_url(services: ServiceAddresses, template: str) -> AsyncIterator[str]:
    async with scratch_database(
        services.database_url, template=template, strategy="FILE_COPY", prefix="test"
    ) as url:
        yield url
