"""Episodes kept up: vectors that are missing, and what is not worth keeping (004, 2.2)."""

from __future__ import annotations

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.database import WORKER_ROLE
from memory.errors import DatabaseUnavailable
from memory.settings import Settings
from memory.store.episodes import EpisodeOwners

NIGHTLY = "40 3 * * *"
_log = structlog.get_logger(__name__)


async def _keep_up(keepsake: Keepsake, user_id: str | None) -> None:
    """For everybody where no user is named: whatever goes wrong for one of them, the others are
    not kept waiting. What is done twice finds nothing left. Raises DatabaseUnavailable."""
    if user_id is not None:
        await keepsake.memory.episodes.keep_up(user_id)
        return
    for each in await EpisodeOwners(keepsake.database.acting_as(WORKER_ROLE)).all():
        try:
            await keepsake.memory.episodes.keep_up(each)
        except DatabaseUnavailable:
            raise
        except Exception as error:  # of one user: the next night tries again
            _log.error("upkeep failed", job=EPISODE_RETENTION.name, exc_info=error)


def _nightly(settings: Settings) -> str | None:
    return NIGHTLY if settings.episodes_enabled else None


EPISODE_RETENTION = Job("episode_retention", _keep_up, _nightly)
