from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from pydantic import SecretStr

from app.bootstrap import Keepsake, open_keepsake
from memory.config import Settings
from memory.factory import make_worker_queries
from memory.local_services.services import ServiceAddresses
from memory.store.database import WORKER_ROLE
from tests.app.work.failing_embedder import FailingEmbedder


@pytest.fixture
def addressed(
    own_database_url: str, services: ServiceAddresses, settings: Settings, user_id: str
) -> Settings:
    """For a program of the test's own on a database of its own, which looks often."""
    return settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": user_id,
            "worker_poll_seconds": 0.05,
        }
    )


@pytest.fixture
def embeds() -> FailingEmbedder:
    """What the worker of the test embeds with."""
    return FailingEmbedder()


@pytest.fixture
async def keepsake(addressed: Settings, embeds: FailingEmbedder) -> AsyncIterator[Keepsake]:
    async with open_keepsake(addressed, lambda _: None) as opened:
        worker = opened.database.as_role(WORKER_ROLE)
        everyone = make_worker_queries(worker, embeds, addressed, opened.counters)
        yield replace(opened, everyone=everyone)
