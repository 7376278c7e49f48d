from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from pydantic import SecretStr

from app.wiring import Keepsake, open_keepsake
from memory.assembly import make_everyone
from memory.database import WORKER_ROLE
from memory.embedded.services import Addresses
from memory.settings import Settings
from tests.app.work.failing_embedder import FailingEmbedder


@pytest.fixture
def addressed(database_url: str, services: Addresses, settings: Settings, user_id: str) -> Settings:
    """For a program of the test's own on a database of its own, which looks often."""
    return settings.model_copy(
        update={
            "database_url": SecretStr(database_url),
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
        worker = opened.database.acting_as(WORKER_ROLE)
        everyone = make_everyone(worker, embeds, addressed, opened.counters)
        yield replace(opened, everyone=everyone)
