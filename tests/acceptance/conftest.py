from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from agent.assistant import Assistant
from agent.models.offline import OfflineModel
from memory.cache import Cache, EmbeddingCache
from memory.config import Settings
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.local import LocalEmbedder
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.local_services.services import LocalServices
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from tests.acceptance.embedding_server import EmbeddingServer
from tests.acceptance.outage import Door, door_to
from tests.acceptance.stores import Stores, open_stores
from tests.agent.turns import Assist, assists
from tests.patience import PATIENCE


@pytest.fixture
def offline(assist: Assist) -> Assistant:
    """The assistant of a machine without a key."""
    return assist(OfflineModel())


@dataclass(frozen=True)
class Parts:
    """What a memory is made of; a test replaces what it is about."""

    database: Database
    embedder: Embedder
    cache: Cache
    counter: TokenCounter
    settings: Settings

    def memory(
        self, *, embedder: Embedder | None = None, cache: Cache | None = None, **changed: object
    ) -> MemoryService:
        """`changed` are settings by their names."""
        settings = self.settings.model_copy(update=changed)
        cache = cache or self.cache
        return make_memory(self.database, embedder or self.embedder, cache, self.counter, settings)

    def embedder_of(self, server: EmbeddingServer, cache: Cache | None = None) -> Embedder:
        return server.embedder(self.settings, cache or self.cache, self.counter)


@pytest.fixture
def parts(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> Parts:
    return Parts(database, embedder, cache, counter, settings)


@pytest.fixture
async def no_redis() -> AsyncIterator[Cache]:
    """A cache whose server does not exist."""
    nowhere = Cache("unix:///nowhere/at/all.sock")
    yield nowhere
    await nowhere.aclose()


@dataclass
class Fragile:
    """A memory whose database can be taken away by shutting the door."""

    door: Door
    database: Database
    memory: MemoryService
    assist: Assist


@pytest.fixture
async def fragile(database_url: str, parts: Parts) -> AsyncIterator[Fragile]:
    async with door_to(database_url) as (door, url):
        database = await Database.open(url)
        memory = replace(parts, database=database).memory(recall_timeout_seconds=3.0)
        async with assists(memory, parts.cache) as make:
            yield Fragile(door, database, memory, make)
        await database.close()


@dataclass
class Alone:
    """A Keepsake whose database and Redis nobody else uses, and the stores as their owner sees
    them."""

    assistant: Assistant
    memory: MemoryService
    database: Database
    stores: Stores


@pytest.fixture
async def alone(
    parts: Parts, own_database_url: str, local_embedder: LocalEmbedder, tmp_path: Path
) -> AsyncIterator[Alone]:
    async with LocalServices(tmp_path / "redis", postgres=False) as addresses:
        cache = Cache(addresses.redis_url, dedicated=True, timeout=PATIENCE)
        embedder = CachedEmbedder(local_embedder, EmbeddingCache(cache))
        memory = parts.memory(embedder=embedder, cache=cache)
        async with (
            assists(memory, cache) as make,
            open_stores(own_database_url, addresses.redis_url) as stores,
        ):
            yield Alone(make(OfflineModel()), memory, parts.database, stores)
        await cache.aclose()
