"""What the program stands on, opened from the settings, and the memory over it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass

from opentelemetry.trace import Tracer

from agent.models.guarded import guard_reader
from agent.models.metered import MeteredModel
from agent.models.model_reader import make_reader
from agent.models.reranking import make_reranker
from agent.models.summarising import make_summariser
from app.telemetry.totals import Totals
from app.work.chores import stop
from memory.assembly import make_embedder, make_guards, make_memory, make_succession, redis_counted
from memory.cache import Cache
from memory.counters import Counters
from memory.database import Database
from memory.embedders.cached import CachedEmbedder
from memory.embedders.current import CurrentEmbedder
from memory.guard import Guards
from memory.models import EmbeddingModel
from memory.service import Memory
from memory.settings import Settings
from memory.store.figures.metric_totals import MetricTotals
from memory.tokens import TokenCounter


@dataclass(frozen=True)
class Ground:
    """What all of the program stands on."""

    database: Database
    cache: Cache
    counters: Counters
    guards: Guards
    tracer: Tracer
    tokens: TokenCounter


async def open_ground(
    stack: AsyncExitStack,
    database_url: str,
    redis_url: str,
    settings: Settings,
    *,
    profile: EmbeddingModel,
    tracer: Tracer,
) -> Ground:
    """What is opened is closed by the stack, the database last: what was counted until then is
    added to the sums of the day. Raises what `Database.open` does."""
    database = await Database.open(database_url)
    stack.push_async_callback(database.close)
    counters = Counters(banks=settings.memory_banks)
    totals = Totals(counters.registry, MetricTotals(database))
    await stack.enter_async_context(totals.written())
    cache = Cache(redis_url, on_change=redis_counted(counters))
    stack.push_async_callback(cache.aclose)
    guards = make_guards(settings, profile, cache, counters)
    stack.push_async_callback(stop, asyncio.create_task(guards.watch()))
    return Ground(database, cache, counters, guards, tracer, TokenCounter())


def open_embedder(
    stack: AsyncExitStack, ground: Ground, settings: Settings, profile: EmbeddingModel
) -> CurrentEmbedder:
    """Of the model that the database has vectors of at the time."""

    def make(model: EmbeddingModel) -> CachedEmbedder:
        return make_embedder(
            model,
            settings,
            ground.cache,
            ground.tokens,
            guard=ground.guards.of("embedder"),
            counters=ground.counters,
            tracer=ground.tracer,
        )

    succession = make_succession(profile, make, ground.database, settings)
    embedder = CurrentEmbedder(succession)
    stack.push_async_callback(embedder.aclose)
    stack.push_async_callback(stop, asyncio.create_task(succession.watch()))
    return embedder


def memory_over(
    ground: Ground, embedder: CurrentEmbedder, model: MeteredModel, settings: Settings
) -> Memory:
    """The memory, with the model where one is configured."""
    reader = make_reader(model.called_for("extract"), settings)
    return make_memory(
        ground.database,
        embedder,
        ground.cache,
        ground.tokens,
        settings,
        second_reader=guard_reader(reader, ground.guards.of("extraction")),
        reranker=make_reranker(model.called_for("rerank"), settings),
        summariser=make_summariser(model.called_for("summarise"), settings),
        counters=ground.counters,
        tracer=ground.tracer,
    )
