"""The schema that the program needs, in whichever database it stands on."""

from __future__ import annotations

from app.addresses import Addresses
from memory.embedders.wanted import refuse_keyless, wanted_model
from memory.errors import SchemaOutdated
from memory.models import EmbeddingModel
from memory.settings import Settings
from migrations.runner import (
    migrate,
    owner_connection,
    pending,
    read_profile,
    refuse_mismatch,
)
from migrations.vector_swap import VectorSchema


async def prepare_schema(addresses: Addresses, settings: Settings) -> EmbeddingModel:
    """Migrates an embedded database; a given one is only checked.

    Raises SchemaOutdated, MigrationChanged, DimensionMismatch, InvalidSettings,
    DatabaseUnavailable.
    """
    url = addresses.owner_url
    if addresses.embedded_database:
        await apply_migrations(addresses, settings)
    elif missing := await pending(url):
        raise SchemaOutdated(reason=f"missing: {', '.join(missing)}")
    model = await _agreed_model(url, settings)
    refuse_keyless(model, settings)
    return model


async def apply_migrations(addresses: Addresses, settings: Settings) -> list[str]:
    """Migrates whichever database it is; the names of what was applied. One in which nothing was
    embedded yet takes the model that these settings choose for a new one. Raises what
    `migrations.runner.migrate` does."""
    url = addresses.owner_url
    stored = await read_profile(url)
    applied = await migrate(url, stored or wanted_model(settings, None))
    async with owner_connection(url) as connection:
        schema = VectorSchema(connection)
        if not await schema.is_bound():
            await schema.choose(wanted_model(settings, None))
    await _agreed_model(url, settings)
    return applied


async def kept_model(addresses: Addresses) -> EmbeddingModel | None:
    """The model that a start on this database keeps to; None where it chooses as for a new one."""
    stored = await read_profile(addresses.owner_url)
    if stored is None or not addresses.embedded_database:
        return stored
    async with owner_connection(addresses.owner_url) as connection:
        return stored if await VectorSchema(connection).is_bound() else None


async def _agreed_model(url: str, settings: Settings) -> EmbeddingModel:
    """Of the database and the settings alike. Raises DimensionMismatch."""
    stored = await read_profile(url)
    model = wanted_model(settings, stored)
    refuse_mismatch(stored, model)
    return model
