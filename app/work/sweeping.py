"""What is not needed any more: of requests, and of the queue's own notes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.settings import Settings

NOTES_KEPT = timedelta(days=7)
_log = structlog.get_logger(__name__)


async def _sweep_requests(keepsake: Keepsake, _user_id: str | None) -> None:
    if swept := await keepsake.everyone.sweep_requests(datetime.now(UTC)):
        _log.info("requests swept", count=swept)


async def _sweep_notes(keepsake: Keepsake, _user_id: str | None) -> None:
    await keepsake.everyone.queue.sweep_log(datetime.now(UTC) - NOTES_KEPT)


def _hourly(_settings: Settings) -> str:
    return "17 * * * *"


def _daily(_settings: Settings) -> str:
    return "23 4 * * *"


SWEEP_REQUESTS = Job("sweep_requests", _sweep_requests, _hourly)
SWEEP_NOTES = Job("sweep_notes", _sweep_notes, _daily)
