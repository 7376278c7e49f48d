"""Reads from the database what the page shows."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import structlog

from app.stats.figures import Figures
from app.stats.sections import (
    Section,
    banks_section,
    counted_sections,
    own_section,
    queue_section,
)
from memory.database import WORKER_ROLE, Database
from memory.errors import SchemaOutdated
from memory.store.figures.census import Census
from memory.store.figures.metric_totals import MetricTotals
from memory.store.figures.own_figures import OwnFiguresStore
from memory.store.jobs.queue import JobQueue

_log = structlog.get_logger(__name__)


async def read_sections(
    database: Database, user_id: str, days: int, now: datetime
) -> list[Section]:
    """The user's own memory, what was counted in the last `days` (in UTC, today is one of them),
    and, where the login may act as the worker, what waits. Raises DatabaseUnavailable."""
    today = now.astimezone(UTC).date()
    span = [today - timedelta(days=back) for back in reversed(range(days))]
    since = datetime.combine(span[0], time(), tzinfo=UTC)
    own = await OwnFiguresStore(database).read(user_id, since)
    figures = Figures(span, await MetricTotals(database).read(span[0]))
    return [
        own_section(user_id, own),
        *counted_sections(figures),
        *await _of_everybody(database.acting_as(WORKER_ROLE), now),
    ]


async def _of_everybody(worker: Database, now: datetime) -> list[Section]:
    queue = JobQueue(worker)
    try:
        rows = await queue.backlog()
        jobs, banks = await queue.states(), await Census(worker).banks()
    except SchemaOutdated as error:  # as which the database refuses the role
        _log.info("stats_of_one_user", reason=str(error))
        return []
    backlog = {
        each.noun: (each.count, (now - each.oldest).total_seconds() if each.oldest else 0.0)
        for each in rows
    }
    return [queue_section(backlog, jobs), banks_section(banks)]
