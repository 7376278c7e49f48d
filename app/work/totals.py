"""The sums of what was counted, which are not kept for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog

from app.wiring import Keepsake
from app.work.job import Job
from memory.database import WORKER_ROLE
from memory.settings import Settings
from memory.store.figures.metric_totals import MetricTotals

KEPT = timedelta(days=400)
_log = structlog.get_logger(__name__)


async def _expire(keepsake: Keepsake, _user_id: str | None) -> None:
    totals = MetricTotals(keepsake.database.acting_as(WORKER_ROLE))
    if gone := await totals.expire((datetime.now(UTC) - KEPT).date()):
        _log.info("totals expired", count=gone)


def _daily(_settings: Settings) -> str:
    return "37 4 * * *"


EXPIRE_TOTALS = Job("expire_totals", _expire, _daily)
