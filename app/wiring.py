"""Builds the program from its settings, and takes it down again: the only place that does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from agent.assembly import make_assistant
from agent.assistant import Assistant
from agent.models.guarded import guard_model
from agent.models.metered import meter
from agent.models.model import choose_model
from app.ground import memory_over, open_embedder, open_ground
from app.telemetry.run_traces import in_mlflow
from app.telemetry.traces import traced
from memory.assembly import make_everyone, refuse_keyless, wanted_model
from memory.cache import Cache
from memory.counters import Counters
from memory.database import WORKER_ROLE, Database
from memory.embedded.services import EmbeddedServices
from memory.errors import SchemaOutdated
from memory.models import EmbeddingModel
from memory.service import Memory
from memory.settings import Settings
from memory.upkeep.across_users import Everyone
from migrations.runner import migrate, pending, read_profile, refuse_mismatch

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Addresses:
    """Where the database and Redis are. `owner_url` is the login that may change the schema."""

    database_url: str
    owner_url: str
    redis_url: str
    embedded_database: bool


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
async def open_addresses(
    settings: Settings, progress: Progress
) -> AsyncIterator[tuple[Addresses, EmbeddedServices]]:
    """Starts the embedded services that no URL replaces. Raises ServiceStartFailed."""
    given, cache = settings.database_url, settings.redis_url
    services = EmbeddedServices(
        settings.keepsake_home, postgres=given is None, valkey=cache is None, progress=progress
    )
    async with services as started:
        url = given.get_secret_value() if given else started.database_url
        owner = settings.migration_database_url
        addresses = Addresses(
            database_url=url,
            owner_url=owner.get_secret_value() if owner else url,
            redis_url=cache.get_secret_value() if cache else started.redis_url,
            embedded_database=given is None,
        )
        yield addresses, services


async def prepare_schema(addresses: Addresses, settings: Settings) -> EmbeddingModel:
    """Migrates an embedded database; a given one is only checked.

    Raises SchemaOutdated, MigrationChanged, DimensionMismatch, InvalidSettings,
    DatabaseUnavailable.
    """
    stored = await read_profile(addresses.owner_url)
    model = wanted_model(settings, stored)
    refuse_mismatch(stored, model)
    refuse_keyless(model, settings)
    if addresses.embedded_database:
        await migrate(addresses.owner_url, model)
    elif missing := await pending(addresses.owner_url):
        raise SchemaOutdated(reason=f"missing: {', '.join(missing)}")
    return model


async def apply_migrations(addresses: Addresses, settings: Settings) -> list[str]:
    """Migrates whichever database it is; the names of what was applied. Raises
    what `migrations.runner.migrate` does."""
    model = wanted_model(settings, await read_profile(addresses.owner_url))
    return await migrate(addresses.owner_url, model)


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
