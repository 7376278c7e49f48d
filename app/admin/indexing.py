"""`python -m app admin prune-vectors` and `rebuild-keywords` (004, 1.5)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from app.addresses import open_addresses
from app.admin.tables import counted, make_console
from app.admin.whom import users_of
from app.process.progress import Progress
from app.process.signals import Leaving
from app.wiring import open_keepsake
from memory.settings import Settings
from memory.upkeep.indexes import Level
from migrations.reindexing import rebuild_index

Run: TypeAlias = Callable[[Settings, Leaving], Coroutine[Any, Any, int]]


def prune_vectors(age_days: int | None, *, all_users: bool) -> Run:
    age = None if age_days is None else timedelta(days=age_days)

    async def command(settings: Settings, _leaving: Leaving) -> int:
        now, pruned = datetime.now(UTC), 0
        async with open_keepsake(settings, Progress()) as keepsake:
            indexes = keepsake.memory.lifecycle.indexes
            for user_id in await users_of(keepsake, all_users=all_users):
                pruned += await indexes.prune_vectors(user_id, now, age)
        said = counted(pruned, "vector", "vectors")
        make_console().print(f"Dropped {said} of what is out of recall; the words stay.")
        return 0

    return command


def rebuild_keywords(level: Level | None, max_age_days: int | None, *, all_users: bool) -> Run:
    """First what belongs into the index, then, as the owner, the index itself."""
    age = None if max_age_days is None else timedelta(days=max_age_days)

    async def command(settings: Settings, _leaving: Leaving) -> int:
        now, changed, progress = datetime.now(UTC), 0, Progress()
        async with open_keepsake(settings, progress) as keepsake:
            indexes = keepsake.memory.lifecycle.indexes
            for user_id in await users_of(keepsake, all_users=all_users):
                changed += await indexes.level_keywords(user_id, now, level, age)
        with progress.busy("Building the keyword index anew…"):
            async with open_addresses(settings, progress) as (addresses, _):
                await rebuild_index(addresses.owner_url, "idx_memory_items_content_fts")
        said = counted(changed)
        make_console().print(f"Built the keyword index anew; {said} went in or out of it.")
        return 0

    return command
