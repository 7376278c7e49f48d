"""Builds the program from its settings, and takes it down again: the only place that does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from opentelemetry.trace import Tracer

from agent.assistant import Assistant, make_assistant
from agent.models.middleware import ObservedModel, observe, reader_with_breaker
from agent.models.model_reader import make_model_reader
from agent.models.provider import choose_model
from agent.models.structured import make_reranker, make_summariser
from app.services import ReportProgress, open_services, prepare_schema
from app.tasks import cancel_and_wait
from app.telemetry.metrics import DailyTotals
from app.telemetry.mlflow_traces import trace_runs_to_mlflow
from app.telemetry.traces import open_tracer
from memory.cache import Cache
from memory.circuit_breaker import CircuitBreakers, count_redis_outages, make_circuit_breakers
from memory.config import Settings
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.factory import make_embedder
from memory.embeddings.model_switch import ActiveEmbedder
from memory.factory import make_memory, make_succession, make_worker_queries
from memory.local_services.services import LocalServices
from memory.maintenance.service import WorkerQueries
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.store.statistics import MetricTotalStore
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel


@dataclass(frozen=True)
class Resources:
    """What all of the program stands on."""

    database: Database
    cache: Cache
    counters: MemoryMetrics
    guards: CircuitBreakers
    tracer: Tracer
    tokens: TokenCounter


async def open_resources(
    stack: AsyncExitStack,
    database_url: str,
    redis_url: str,
    settings: Settings,
    *,
    profile: EmbeddingModel,
    tracer: Tracer,
) -> Resources:
    """What is opened is closed by the stack, the database last: what was counted until then is
    added to the sums of the day. Raises what `Database.open` does."""
    database = await Database.open(database_url)
    stack.push_async_callback(database.close)
    counters = MemoryMetrics(banks=settings.memory_banks)
    totals = DailyTotals(counters.registry, MetricTotalStore(database))
    await stack.enter_async_context(totals.written())
    cache = Cache(
        redis_url,
        dedicated=settings.has_dedicated_redis,
        on_change=count_redis_outages(counters),
    )
    stack.push_async_callback(cache.aclose)
    guards = make_circuit_breakers(settings, profile, cache, counters)
    return Resources(database, cache, counters, guards, tracer, TokenCounter())


def open_embedder(
    stack: AsyncExitStack, ground: Resources, settings: Settings, profile: EmbeddingModel
) -> ActiveEmbedder:
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
    embedder = ActiveEmbedder(succession)
    stack.push_async_callback(embedder.aclose)
    stack.push_async_callback(cancel_and_wait, asyncio.create_task(succession.watch()))
    return embedder


def build_memory(
    ground: Resources, embedder: ActiveEmbedder, model: ObservedModel, settings: Settings
) -> MemoryService:
    """The memory, with the model where one is configured."""
    reader = make_model_reader(model.called_for("extract"), settings)
    return make_memory(
        ground.database,
        embedder,
        ground.cache,
        ground.tokens,
        settings,
        reader=reader_with_breaker(reader, ground.guards.of("extraction")),
        reranker=make_reranker(model.called_for("rerank"), settings),
        summariser=make_summariser(model.called_for("summarise"), settings),
        counters=ground.counters,
        tracer=ground.tracer,
    )


@dataclass(frozen=True)
class Keepsake:
    """The running program. `revive` starts embedded services again that died, and names them;
    `everyone` is for a login that may act as the worker."""

    settings: Settings
    memory: MemoryService
    everyone: WorkerQueries
    assistant: Assistant
    database: Database
    cache: Cache
    services: LocalServices
    counters: MemoryMetrics

    async def revive(self) -> list[str]:
        return await self.services.revive()


@asynccontextmanager
async def open_keepsake(settings: Settings, progress: ReportProgress) -> AsyncIterator[Keepsake]:
    """The whole program, ready to answer. What was opened is closed in the reverse order."""
    async with AsyncExitStack() as stack:
        tracer = await stack.enter_async_context(open_tracer(settings))
        addresses, services = await stack.enter_async_context(open_services(settings, progress))
        profile = await prepare_schema(addresses, settings)
        ground = await open_resources(
            stack,
            addresses.database_url,
            addresses.redis_url,
            settings,
            profile=profile,
            tracer=tracer,
        )
        embedder = open_embedder(stack, ground, settings, profile)
        breaker = ground.guards.of("model")
        model = observe(choose_model(settings), settings, ground.counters, tracer, breaker)
        await stack.enter_async_context(trace_runs_to_mlflow(settings))
        stack.push_async_callback(model.close)
        memory = build_memory(ground, embedder, model, settings)
        stack.push_async_callback(memory.aclose)
        database, cache, counters = ground.database, ground.cache, ground.counters
        assistant = make_assistant(
            model, settings, memory, cache, ground.guards, counters=counters, tracer=tracer
        )
        stack.push_async_callback(assistant.aclose)
        worker = database.as_role(WORKER_ROLE)
        everyone = make_worker_queries(worker, embedder, settings, counters)
        yield Keepsake(settings, memory, everyone, assistant, database, cache, services, counters)
