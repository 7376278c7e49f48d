"""The product's own code on a database that lives for one run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from eval.errors import ScratchDatabaseFailed, VectorsMissing
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.factory import choose_embedding_model, make_embedder, require_configured
from memory.embeddings.protocol import Embedder
from memory.errors import DatabaseUnavailable, KeepsakeError
from memory.factory import make_memory
from memory.local_services.services import LocalServices
from memory.service import MemoryService
from memory.store.database import CONNECTION_ERRORS, Database, connection_error_reason
from memory.store.memories import MemoryStore
from memory.store.vectors import MissingVectorStore
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, NewMemory
from migrations.runner import migrate, read_profile
from migrations.scratch import scratch_database

ProgressCallback = Callable[[str], None]
NO_LIMIT = 0
# Memories of one user that are embedded and stored in one go.
STORE_BATCH = 128
CREATE_TIMEOUT = 60.0


@dataclass(frozen=True)
class System:
    """What a run works with. `owner_url` is the login that may change the schema."""

    settings: Settings
    model: EmbeddingModel
    database: Database
    owner_url: str
    cache: Cache
    counter: TokenCounter
    embedder: Embedder
    memory: MemoryService
    items: MemoryStore

    async def store(self, user_id: str, items: Sequence[NewMemory]) -> list[UUID]:
        """Keeps the memories, each with its vector; their ids in their order.

        Raises VectorsMissing where some have none after a second attempt.
        """
        ids: list[UUID] = []
        for start in range(0, len(items), STORE_BATCH):
            kept = await self.memory.remember_all(user_id, items[start : start + STORE_BATCH])
            ids += [item.id for item in kept]
        await self.memory.embed_waiting(user_id)
        waiting = await MissingVectorStore(self.database).waiting("items", user_id, len(ids) + 1)
        if waiting:
            raise VectorsMissing(count=len(waiting))
        return ids

    async def forget_vectors(self, queries: Sequence[str]) -> None:
        """Takes the vectors of the questions out of the cache, so that an earlier run does not
        make this one look faster."""
        if isinstance(self.embedder, CachedEmbedder):
            await self.embedder.forget(list(queries))


@asynccontextmanager
async def open_system(settings: Settings, progress: ProgressCallback) -> AsyncIterator[System]:
    """The embedded services, or those that URLs name; a migrated scratch database; the memory on
    it as the application's role, with no limit on the recalls a minute.

    The embedding model is the one that the product would use for this home. Raises
    ServiceStartFailed, DatabaseUnavailable, ScratchDatabaseFailed.
    """
    settings = settings.model_copy(update={"memory_queries_per_minute": NO_LIMIT})
    given, redis = settings.database_url, settings.redis_url
    async with AsyncExitStack() as stack:
        services = LocalServices(
            settings.keepsake_home, postgres=given is None, valkey=redis is None, progress=progress
        )
        started = await stack.enter_async_context(services)
        admin = settings.migration_database_url or given
        admin_url = admin.get_secret_value() if admin else started.database_url
        cache = Cache(redis.get_secret_value() if redis else started.redis_url)
        stack.push_async_callback(cache.aclose)
        model = choose_embedding_model(settings, await read_profile(admin_url))
        require_configured(model, settings)
        url = await _enter_scratch(stack, admin_url, model)
        database = await Database.open(url)
        stack.push_async_callback(database.close)
        yield _assemble(stack, settings, model=model, database=database, owner_url=url, cache=cache)


async def _enter_scratch(stack: AsyncExitStack, admin_url: str, model: EmbeddingModel) -> str:
    try:
        async with asyncio.timeout(CREATE_TIMEOUT):
            url = await stack.enter_async_context(
                scratch_database(admin_url, prefix="keepsake_eval")
            )
            await migrate(url, model)
    except KeepsakeError:
        raise
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
    except Exception as error:  # the driver's own errors, which are of no class of ours
        raise ScratchDatabaseFailed(reason=str(error)) from error
    return url


def _assemble(
    stack: AsyncExitStack,
    settings: Settings,
    *,
    model: EmbeddingModel,
    database: Database,
    owner_url: str,
    cache: Cache,
) -> System:
    counter = TokenCounter()
    embedder = make_embedder(model, settings, cache, counter)
    stack.push_async_callback(embedder.aclose)
    memory = make_memory(database, embedder, cache, counter, settings)
    stack.push_async_callback(memory.aclose)
    return System(
        settings=settings,
        model=model,
        database=database,
        owner_url=owner_url,
        cache=cache,
        counter=counter,
        embedder=embedder,
        memory=memory,
        items=MemoryStore(database),
    )
