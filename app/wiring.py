"""Builds the program from its settings, and takes it down again: the only place that does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from agent.assembly import make_assistant
from agent.assistant import Assistant
from agent.models.guarded import guard_model
from agent.models.metered import meter
from agent.models.model import choose_model
from app.addresses import Progress, open_addresses
from app.ground import memory_over, open_embedder, open_ground
from app.schema import prepare_schema
from app.telemetry.mlflow_traces import in_mlflow
from app.telemetry.traces import traced
from memory.assembly import make_everyone
from memory.cache import Cache
from memory.counters import Counters
from memory.database import WORKER_ROLE, Database
from memory.embedded.services import EmbeddedServices
from memory.service import Memory
from memory.settings import Settings
from memory.upkeep.across_users import Everyone


@dataclass(frozen=True)
class Keepsake:
    """The running program. `revive` starts embedded services again that died, and names them;
    `everyone` is for a login that may act as the worker."""

    settings: Settings
    memory: Memory
    everyone: Everyone
    assistant: Assistant
    database: Database
    cache: Cache
    services: EmbeddedServices
    counters: Counters

    async def revive(self) -> list[str]:
        return await self.services.revive()


@asynccontextmanager
async def open_keepsake(settings: Settings, progress: Progress) -> AsyncIterator[Keepsake]:
    """The whole program, ready to answer. What was opened is closed in the reverse order."""
    async with AsyncExitStack() as stack:
        tracer = await stack.enter_async_context(traced(settings))
        addresses, services = await stack.enter_async_context(open_addresses(settings, progress))
        profile = await prepare_schema(addresses, settings)
        ground = await open_ground(
            stack,
            addresses.database_url,
            addresses.redis_url,
            settings,
            profile=profile,
            tracer=tracer,
        )
        embedder = open_embedder(stack, ground, settings, profile)
        guarded = guard_model(choose_model(settings), ground.guards.of("model"))
        await stack.enter_async_context(in_mlflow(settings))
        model = meter(guarded, settings, ground.counters, tracer)
        stack.push_async_callback(model.close)
        memory = memory_over(ground, embedder, model, settings)
        stack.push_async_callback(memory.aclose)
        database, cache, counters = ground.database, ground.cache, ground.counters
        assistant = make_assistant(
            model, settings, memory, cache, ground.guards, counters=counters, tracer=tracer
        )
        stack.push_async_callback(assistant.aclose)
        worker = database.acting_as(WORKER_ROLE)
        everyone = make_everyone(worker, embedder, settings, counters)
        yield Keepsake(settings, memory, everyone, assistant, database, cache, services, counters)
