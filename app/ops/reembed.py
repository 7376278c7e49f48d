"""`python -m app reembed`: the vectors of everything made anew for another model, online."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from app.console import Progress, progress_bar
from app.runner import CliCommand, Shutdown
from app.services import ServiceUrls, apply_migrations, open_services
from app.worker.jobs import enqueue_episode_owners
from memory.cache import Cache, clear_keys
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL, RETIRED_MODELS, Settings
from memory.embeddings.factory import (
    choose_embedding_model,
    is_configured,
    make_embedder,
    require_configured,
)
from memory.embeddings.model_switch import POLL_SECONDS
from memory.embeddings.protocol import Embedder
from memory.errors import EmbeddingUnavailable, NextModelUnusable, SchemaOutdated
from memory.factory import without_cache
from memory.maintenance.backfill import VectorBackfill
from memory.maintenance.reembedding import ReembeddingRun
from memory.store.database import WORKER_ROLE, Database
from memory.store.episodes import EpisodeUsers
from memory.store.jobs import JobQueue
from memory.store.vectors import MissingVectorStore, NextVectorStore
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel
from migrations.runner import read_pending, read_profile
from migrations.vector_swap import VectorSchema, open_vector_schema

# For so long before the swap every program has had the chance to see it announced, and for so long
# after it a program that had not may still write a vector of the old model.
ANNOUNCED_SECONDS = 2 * POLL_SECONDS
LATE_SECONDS = 3 * POLL_SECONDS
TRY_SECONDS = 60.0
# Whatever the settings name: the model that the database was made for.
OF_THE_DATABASE = {"embedding_model": None, "embedding_dimensions": None}


def reembed(model: str | None, dimensions: int | None) -> CliCommand:
    """To the model that is named, or else to that of the settings, or of the database; to that of a
    new database where the settings lack what that one needs."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        given: dict[str, object] = {}
        if model is not None:
            given["embedding_model"] = model
        if model is not None or dimensions is not None:
            # Without one the usual: the length in the settings is another model's.
            given["embedding_dimensions"] = dimensions
        progress = Progress()
        async with open_services(settings, progress) as (addresses, _services):
            stored = await _prepare(addresses, settings)
            wanted = settings.model_copy(update=given)
            if stored is not None and stored.name in RETIRED_MODELS:
                stored = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)
            if stored is not None and not is_configured(stored, settings):
                stored = None
            if stored is not None and wanted.embedding_model is None:
                wanted = wanted.model_copy(update={"embedding_model": stored.name})
            target = choose_embedding_model(wanted, stored)
            require_configured(target, wanted)
            async with _open_parts(addresses, wanted, target) as parts:
                said = await change_model(parts, target)
        print(said + _what_to_set(settings, target), flush=True)  # noqa: T201
        return 0

    return command


@dataclass(frozen=True)
class ReembeddingParts:
    """What a change of the model takes: the schema's owner, the worker, and the new embedder."""

    schema: VectorSchema
    database: Database
    embedder: Embedder
    cache: Cache
    announced_seconds: float = ANNOUNCED_SECONDS
    late_seconds: float = LATE_SECONDS


async def change_model(parts: ReembeddingParts, target: EmbeddingModel) -> str:
    """Tries the model, announces it, makes its vectors, swaps them in, and looks after what came
    meanwhile; a sentence about what was done. May be cancelled at any moment: until the swap
    nothing that is searched has changed, and what was made is kept. Raises NextModelUnusable,
    with nothing announced, and ReembeddingStopped."""
    profile = await parts.schema.profile()
    if profile.current == target:
        if profile.following is not None:
            await parts.schema.abandon()
        mended = await _look_after_late(parts, target)
        return f"Everything is of {_named(target)} already. {_vectors(mended)} had to be mended."
    await _try_model(parts.embedder, target)
    await parts.schema.begin(target)
    announced_until = time.monotonic() + parts.announced_seconds
    filled = await _fill(parts)
    await asyncio.sleep(max(announced_until - time.monotonic(), 0.0))
    await parts.schema.swap(target)
    await asyncio.sleep(parts.late_seconds)
    late = await _look_after_late(parts, target)
    await clear_keys(parts.cache, "embedding_cache")
    return f"{_vectors(filled + late)} made; everything is of {_named(target)} now."


async def _try_model(embedder: Embedder, target: EmbeddingModel) -> None:
    """Before anything is announced. Raises NextModelUnusable."""
    try:
        async with asyncio.timeout(TRY_SECONDS):
            await embedder.embed_texts(["hello"])
    except EmbeddingUnavailable as error:
        raise NextModelUnusable(model=_named(target), reason=error.fields["reason"]) from error
    except TimeoutError as error:
        raise NextModelUnusable(model=_named(target), reason="no answer in time") from error


async def _fill(parts: ReembeddingParts) -> int:
    with progress_bar("Embedding") as progress:
        return await ReembeddingRun(
            NextVectorStore(parts.database), parts.embedder, progress
        ).fill()


async def _look_after_late(parts: ReembeddingParts, target: EmbeddingModel) -> int:
    """What a program wrote that had not noticed the swap. The vectors of episodes are made by the
    workers."""
    await enqueue_episode_owners(EpisodeUsers(parts.database), JobQueue(parts.database))
    await NextVectorStore(parts.database).mark_outdated(target.name)
    return await VectorBackfill(MissingVectorStore(parts.database), parts.embedder).run(None)


async def _prepare(addresses: ServiceUrls, settings: Settings) -> EmbeddingModel | None:
    """The model that the database was made for. The schema has to be this program's. Raises
    SchemaOutdated."""
    if addresses.embedded_database:
        await apply_migrations(addresses, settings.model_copy(update=OF_THE_DATABASE))
    elif missing := await read_pending(addresses.owner_url):
        raise SchemaOutdated(reason=f"missing: {', '.join(missing)}")
    return await read_profile(addresses.owner_url)


@asynccontextmanager
async def _open_parts(
    addresses: ServiceUrls, settings: Settings, target: EmbeddingModel
) -> AsyncIterator[ReembeddingParts]:
    async with AsyncExitStack() as stack:
        schema = await stack.enter_async_context(open_vector_schema(addresses.owner_url))
        database = await Database.open(addresses.owner_url, role=WORKER_ROLE)
        stack.push_async_callback(database.close)
        cache = Cache(addresses.redis_url)
        stack.push_async_callback(cache.aclose)
        embedder = make_embedder(target, settings, cache, TokenCounter())
        stack.push_async_callback(embedder.aclose)
        yield ReembeddingParts(schema, database, without_cache(embedder), cache)


def _as_settings(model: EmbeddingModel) -> dict[str, object]:
    return {"embedding_model": model.name, "embedding_dimensions": model.dimensions}


def _what_to_set(settings: Settings, target: EmbeddingModel) -> str:
    """Programs that are started from now on follow the database, unless told otherwise."""
    now = _as_settings(target)
    named = {name: getattr(settings, name) for name in now}
    if all(value in {None, now[name]} for name, value in named.items()):
        return ""
    return (
        f"\nBefore a program is started again, set EMBEDDING_MODEL={target.name} and "
        f"EMBEDDING_DIMENSIONS={target.dimensions}, or take both out of the settings."
    )


def _named(model: EmbeddingModel) -> str:
    return f"{model.name} with {model.dimensions} dimensions"


def _vectors(count: int) -> str:
    return f"{count:,} {'vector' if count == 1 else 'vectors'}"
