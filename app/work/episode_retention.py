"""Episodes kept up: vectors that are missing, and what is not worth keeping (004, 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.work.job import LONG_DEADLINE, Job
from memory.database import WORKER_ROLE
from memory.settings import Settings
from memory.store.episodes.episodes import EpisodeOwners
from memory.store.jobs.queue import JobQueue

if TYPE_CHECKING:
    from app.wiring import Keepsake

NIGHTLY = "40 3 * * *"
_PAGE = 500


async def _keep_up(keepsake: Keepsake, user_id: str | None) -> None:
    """Of one user, or, where none is named, asks for a job for each who has episodes: what goes
    wrong for one of them is tried again by itself."""
    if user_id is not None:
        await keepsake.memory.episodes.keep_up(user_id)
        return
    owners = EpisodeOwners(keepsake.database.acting_as(WORKER_ROLE))
    await ask_for_all(owners, keepsake.everyone.queue)


async def ask_for_all(owners: EpisodeOwners, queue: JobQueue) -> None:
    """A job for each who has episodes."""
    last = ""
    while users := await owners.next(last, _PAGE):
        await queue.put(EPISODE_RETENTION.name, users)
        last = users[-1]


def _nightly(settings: Settings) -> str | None:
    return NIGHTLY if settings.episodes_enabled else None


EPISODE_RETENTION = Job("episode_retention", _keep_up, _nightly, at_most=1, deadline=LONG_DEADLINE)
