"""The nightly upkeep of everybody's memories, a job for each user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeAlias

from app.wiring import Keepsake
from app.work.job import LONG_DEADLINE, Job
from memory.database import WORKER_ROLE
from memory.settings import Settings
from memory.settings.lifecycle import NEVER
from memory.store.upkeep.residents import Residents
from memory.upkeep.lifecycle import Lifecycle

ForOne: TypeAlias = Callable[[Lifecycle, str, datetime], Awaitable[object]]
Owners: TypeAlias = Callable[[Residents, str, int], Awaitable[list[str]]]
"""The next users after one, at most so many: those with memories, or with what was noted."""

_PAGE = 500


async def ask_for_all(keepsake: Keepsake, name: str, owners: Owners) -> None:
    """A job for each of them: what goes wrong for one is tried again by itself, and nothing that
    ends in between begins anew. Who is still waiting from another night keeps their place. Raises
    SchemaOutdated where the login may not act as the worker."""
    residents, last = Residents(keepsake.database.acting_as(WORKER_ROLE)), ""
    while users := await owners(residents, last, _PAGE):
        await keepsake.everyone.queue.put(name, users)
        last = users[-1]


def _nightly(
    name: str,
    do: ForOne,
    schedule: Callable[[Settings], str | None],
    *,
    owners: Owners = Residents.users,
    at_most: int | None = None,
) -> Job:
    async def run(keepsake: Keepsake, user_id: str | None) -> None:
        if user_id is None:
            await ask_for_all(keepsake, name, owners)
        else:
            await do(keepsake.memory.lifecycle, user_id, datetime.now(UTC))

    return Job(name, run, schedule, at_most, LONG_DEADLINE)


def _at(cron: str) -> str | None:
    return None if cron == NEVER else cron


ROLL_UP = _nightly(
    "memory_roll_up",
    lambda lifecycle, user_id, now: lifecycle.rolling_up.run(user_id, now),
    lambda settings: _at(settings.roll_up_schedule) if settings.roll_up else None,
    at_most=1,
)
CAPS = _nightly(
    "memory_caps",
    lambda lifecycle, user_id, now: lifecycle.keep_caps(user_id, now),
    lambda settings: _at(settings.cap_schedule),
)
RETENTION = _nightly(
    "memory_retention",
    lambda lifecycle, user_id, now: lifecycle.retention.run(user_id, now),
    lambda settings: _at(settings.retention_schedule),
)
INDEX_PRUNE = _nightly(
    "index_prune",
    lambda lifecycle, user_id, now: lifecycle.indexes.prune_vectors(user_id, now),
    lambda settings: _at(settings.prune_schedule),
)
INDEX_REBUILD = _nightly(
    "index_rebuild",
    lambda lifecycle, user_id, now: lifecycle.indexes.level_keywords(user_id, now),
    lambda settings: _at(settings.rebuild_schedule),
)
EXPIRY = _nightly(
    "expiry",
    lambda lifecycle, user_id, now: lifecycle.expiry.run(user_id, now),
    lambda settings: _at(settings.expiry_schedule),
    owners=Residents.noted,
)
NIGHTLY = (ROLL_UP, CAPS, RETENTION, INDEX_PRUNE, INDEX_REBUILD, EXPIRY)
