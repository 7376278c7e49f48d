"""`python -m app migrate`."""

from __future__ import annotations

from app.addresses import open_addresses
from app.process.progress import Progress
from app.process.signals import Leaving
from app.schema import apply_migrations
from memory.settings import Settings


async def migrate_database(settings: Settings, _leaving: Leaving) -> int:
    """Says what was applied, or that nothing was missing."""
    progress = Progress()
    async with open_addresses(settings, progress) as (addresses, _services):
        with progress.busy("Migrating…"):
            applied = await apply_migrations(addresses, settings)
    for name in applied:
        print(f"applied {name}")  # noqa: T201
    print("The database is up to date.", flush=True)  # noqa: T201
    return 0
