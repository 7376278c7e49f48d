"""Where the services are, those started here that no setting names, and the schema of their
database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.console import Progress
from app.runner import Shutdown
from memory.config import RETIRED_MODELS, Settings
from memory.embeddings.factory import choose_embedding_model, require_configured
from memory.errors import SchemaOutdated
from memory.local_services.services import LocalServices
from memory.types import EmbeddingModel
from migrations.runner import (
    migrate,
    owner_connection,
    raise_on_mismatch,
    read_pending,
    read_profile,
)
from migrations.vector_swap import VectorSchema

ReportProgress = Callable[[str], None]


@dataclass(frozen=True)
class ServiceUrls:
    """Where the database and Redis are. `owner_url` is the login that may change the schema."""

    database_url: str
    owner_url: str
    redis_url: str
    embedded_database: bool


@asynccontextmanager
async def open_services(
    settings: Settings, progress: ReportProgress
) -> AsyncIterator[tuple[ServiceUrls, LocalServices]]:
    """Starts the embedded services that no URL replaces. Raises ServiceStartFailed."""
    given, cache = settings.database_url, settings.redis_url
    services = LocalServices(
        settings.keepsake_home, postgres=given is None, valkey=cache is None, progress=progress
    )
    async with services as started:
        url = given.get_secret_value() if given else started.database_url
        owner = settings.migration_database_url
        addresses = ServiceUrls(
            database_url=url,
            owner_url=owner.get_secret_value() if owner else url,
            redis_url=cache.get_secret_value() if cache else started.redis_url,
            embedded_database=given is None,
        )
        yield addresses, services


async def prepare_schema(addresses: ServiceUrls, settings: Settings) -> EmbeddingModel:
    """Migrates an embedded database; a given one is only checked.

    Raises SchemaOutdated, SchemaTooOld, MigrationChanged, DimensionMismatch, InvalidSettings,
    DatabaseUnavailable.
    """
    url = addresses.owner_url
    if addresses.embedded_database:
        await apply_migrations(addresses, settings)
    elif missing := await read_pending(url):
        raise SchemaOutdated(reason=f"missing: {', '.join(missing)}")
    model = await _checked_model(url, settings)
    require_configured(model, settings)
    return model


async def apply_migrations(addresses: ServiceUrls, settings: Settings) -> list[str]:
    """Migrates whichever database it is; the names of what was applied. One in which nothing was
    embedded yet takes the model that these settings choose for a new one. Raises what
    `migrations.runner.migrate` does."""
    url = addresses.owner_url
    stored = await read_profile(url)
    applied = await migrate(url, stored or choose_embedding_model(settings, None))
    async with owner_connection(url) as connection:
        schema = VectorSchema(connection)
        if not await schema.is_bound():
            await schema.choose(choose_embedding_model(settings, None))
    await _checked_model(url, settings)
    return applied


async def database_model(addresses: ServiceUrls) -> EmbeddingModel | None:
    """The model that a start on this database keeps to; None where it chooses as for a new one."""
    stored = await read_profile(addresses.owner_url)
    if stored is None or not addresses.embedded_database:
        return stored
    async with owner_connection(addresses.owner_url) as connection:
        return stored if await VectorSchema(connection).is_bound() else None


async def _checked_model(url: str, settings: Settings) -> EmbeddingModel:
    """Of the database and the settings alike. Raises DimensionMismatch, and InvalidSettings where
    the database's is gone."""
    stored = await read_profile(url)
    model = choose_embedding_model(settings, stored)
    if stored is not None and stored != model and stored.name in RETIRED_MODELS:
        require_configured(stored, settings)
    raise_on_mismatch(stored, model)
    return model


async def migrate_database(settings: Settings, _leaving: Shutdown) -> int:
    """Says what was applied, or that nothing was missing."""
    progress = Progress()
    async with open_services(settings, progress) as (addresses, _services):
        with progress.busy("Migrating…"):
            applied = await apply_migrations(addresses, settings)
    for name in applied:
        print(f"applied {name}")  # noqa: T201
    print("The database is up to date.", flush=True)  # noqa: T201
    return 0
