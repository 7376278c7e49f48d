"""What was forgotten, erased for good at its time."""

from __future__ import annotations

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.store.jobs import requests as jobs

_log = structlog.get_logger(__name__)


async def _erase(keepsake: Keepsake, user_id: str | None) -> None:
    if user_id is not None and (erased := await keepsake.memory.erase_due(user_id)):
        _log.info("memories erased", count=erased)


ERASE = Job(jobs.ERASE, _erase)
