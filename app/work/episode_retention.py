"""Episodes kept up: vectors that are missing, and what is not worth keeping (004, 2.2)."""

from __future__ import annotations

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.database import WORKER_ROLE
from memory.settings import Settings
from memory.store.episodes import EpisodeOwners

NIGHTLY = "40 3 * * *"
_log = structlog.get_logger(__name__)


async def _keep_up(keepsake: Keepsake, user_id: str | None) -> None:
    """For everybody where no user is named. What is done twice finds nothing left."""
    users = [user_id] if user_id is not None else await _owners(keepsake)
    removed = 0
    for each in users:
        removed += await keepsake.memory.episodes.keep_up(each)
    if removed:
        _log.info("episodes removed", count=removed)


async def _owners(keepsake: Keepsake) -> list[str]:
    return await EpisodeOwners(keepsake.database.acting_as(WORKER_ROLE)).all()


def _nightly(settings: Settings) -> str | None:
    return NIGHTLY if settings.episodes_enabled else None


EPISODE_RETENTION = Job("episode_retention", _keep_up, _nightly)
