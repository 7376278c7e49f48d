"""Where the services are, those started here that no setting names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from memory.embedded.services import EmbeddedServices
from memory.settings import Settings

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Addresses:
    """Where the database and Redis are. `owner_url` is the login that may change the schema."""

    database_url: str
    owner_url: str
    redis_url: str
    embedded_database: bool


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
