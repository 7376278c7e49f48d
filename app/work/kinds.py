"""All kinds of work. Who adds one writes it beside this file and adds a line."""

from __future__ import annotations

from app.work.embedding import EMBED
from app.work.episode_retention import EPISODE_RETENTION
from app.work.erasing import ERASE
from app.work.job import Job
from app.work.learning import LEARN
from app.work.lifecycle import NIGHTLY
from app.work.reconcile import RECONCILE
from app.work.sweeping import SWEEP_NOTES, SWEEP_REQUESTS
from app.work.totals import EXPIRE_TOTALS

JOBS: tuple[Job, ...] = (
    EMBED,
    EPISODE_RETENTION,
    ERASE,
    LEARN,
    RECONCILE,
    SWEEP_NOTES,
    SWEEP_REQUESTS,
    EXPIRE_TOTALS,
    *NIGHTLY,
)
