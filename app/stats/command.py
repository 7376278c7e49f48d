"""`python -m app stats`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from rich.console import Console

from app.addresses import open_addresses
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from app.schema import prepare_schema
from app.stats.page import show
from app.stats.reading import read_sections
from memory.database import Database
from memory.settings import Settings


def stats(days: int, *, plain: bool) -> Command:
    """Of the user of the settings. Plain too where the output is no terminal."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        async with open_addresses(settings, Progress()) as (addresses, _services):
            await prepare_schema(addresses, settings)
            database = await Database.open(addresses.database_url, connections=2)
            try:
                now = datetime.now(UTC)
                sections = await read_sections(database, settings.keepsake_user, days, now)
            finally:
                await database.close()
        title = f"Keepsake, the last {days} days to {now:%Y-%m-%d %H:%M} UTC"
        show(Console(), title, sections, plain=plain or not sys.stdout.isatty())
        return 0

    return command
