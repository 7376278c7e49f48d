"""The schema that the program needs, in whichever database it stands on."""

from __future__ import annotations

from app.addresses import Addresses
from memory.embedders.wanted import refuse_keyless, wanted_model
from memory.errors import SchemaOutdated
from memory.models import EmbeddingModel
from memory.settings import Settings
from migrations.runner import migrate, pending, read_profile, refuse_mismatch


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
