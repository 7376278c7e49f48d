"""`python -m app worker`: what can wait, for all users, until a signal ends it."""

from __future__ import annotations

import asyncio
import os
import signal

import structlog

from app.process.pauses import growing_pauses
from app.process.signals import Leaving
from app.telemetry.exporter import exported
from app.wiring import open_keepsake
from app.work.heartbeat import beating, heartbeat_file
from app.work.worker import Terms, do_jobs
from memory.errors import DatabaseUnavailable, SchemaOutdated
from memory.settings import Settings

NICENESS = 10
_log = structlog.get_logger(__name__)


async def work_politely(settings: Settings, leaving: Leaving) -> int:
    """On a machine that answers people as well, what can wait lets them go first. Not where it may
    have to start the embedded database, which would be as polite as the process that started it."""
    if settings.database_url is not None:
        os.nice(NICENESS)
    return await work(settings, leaving)


async def work(settings: Settings, leaving: Leaving) -> int:
    """Ends with 0 on SIGTERM, which is how a container is stopped: a job in hand is ended first, or
    given back."""
    try:
        async with beating(heartbeat_file(settings.keepsake_home)):
            await _work_on(settings)
    except asyncio.CancelledError:
        if leaving.signal is not signal.SIGTERM:
            raise
    _log.info("worker stopped")
    return 0


async def _work_on(settings: Settings) -> None:
    """Opens the program again and again: a database that is away or not migrated yet is waited
    for, twice as long each time, up to a minute."""
    pauses, terms = growing_pauses(settings.worker_poll_seconds), Terms()
    while True:
        try:
            async with open_keepsake(settings, _log_progress) as keepsake:
                _log.info("worker started", home=settings.keepsake_home)
                pauses = growing_pauses(settings.worker_poll_seconds)
                registry = keepsake.counters.registry
                async with exported(registry, settings.metrics_host, settings.worker_metrics_port):
                    await do_jobs(keepsake, terms)
        except (DatabaseUnavailable, SchemaOutdated) as error:
            pause = next(pauses)
            _log.warning("waiting", seconds=pause, reason=str(error))
            await asyncio.sleep(pause)


def _log_progress(text: str) -> None:
    _log.info("setting up", what=text)
