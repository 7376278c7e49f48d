"""The nightly upkeep of everybody's memories, one user after the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.database import WORKER_ROLE
from memory.errors import DatabaseUnavailable
from memory.settings import Settings
from memory.settings.lifecycle import NEVER
from memory.store.residents import Residents
from memory.upkeep.lifecycle import Lifecycle

ForOne: TypeAlias = Callable[[Lifecycle, str, datetime], Awaitable[object]]
_PAGE = 500
_log = structlog.get_logger(__name__)


async def everybody(keepsake: Keepsake) -> list[str]:
    """Who has memories, in the order of their names. Raises SchemaOutdated where the login may
    not act as the worker."""
    residents = Residents(keepsake.database.acting_as(WORKER_ROLE))
    users: list[str] = []
    while page := await residents.users(users[-1] if users else "", _PAGE):
        users += page
    return users


def of_tonight(users: Sequence[str], most: int, now: datetime) -> list[str]:
    """At most `most` of them; the next night goes on after the last one, so that everybody has
    their turn."""
    if len(users) <= most:
        return list(users)
    first = now.toordinal() * most % len(users)
    return [*users[first:], *users[:first]][:most]


async def for_each(keepsake: Keepsake, user_id: str | None, what: str, do: ForOne) -> None:
    """Does it for the user, or for all whose turn it is; what goes wrong for one of them does not
    keep the others waiting. Raises DatabaseUnavailable, and for the one user whatever it raises."""
    now, lifecycle = datetime.now(UTC), keepsake.memory.lifecycle
    if user_id is not None:
        await do(lifecycle, user_id, now)
        return
    users = of_tonight(await everybody(keepsake), keepsake.settings.users_a_night, now)
    for each in users:
        try:
            await do(lifecycle, each, now)
        except DatabaseUnavailable:
            raise
        except Exception as error:  # of one user: the next night tries again
            _log.error("upkeep failed", job=what, exc_info=error)


def _nightly(
    name: str,
    do: ForOne,
    schedule: Callable[[Settings], str | None],
    at_most: int | None = None,
) -> Job:
    async def run(keepsake: Keepsake, user_id: str | None) -> None:
        await for_each(keepsake, user_id, name, do)

    return Job(name, run, schedule, at_most)


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
)
NIGHTLY = (ROLL_UP, CAPS, RETENTION, INDEX_PRUNE, INDEX_REBUILD, EXPIRY)
