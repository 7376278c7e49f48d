"""The queue of pgqueuer over one connection, with what it may be asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast
from uuid import UUID

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import DBSettings
from pgqueuer.core.applications import PgQueuer
from pgqueuer.domain.models import Schedule
from pgqueuer.domain.types import Channel, QueueManagerId

from app.wiring import Keepsake
from app.work.attempts import Attempt
from app.work.job import Job
from app.work.leases import LeasedQueries
from memory.database import Connection
from memory.store.jobs.requests import EVERYTHING

# As migrations/0013_queue.sql made them. Each is named, since pgqueuer would look for the others in
# the environment, where CHANNEL or FUNCTION may mean something else.
NAMES = DBSettings(
    prefix="",
    db_schema=None,
    channel=Channel("ch_pgqueuer"),
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
)


async def make_queue(
    connection: Connection, keepsake: Keepsake, jobs: Sequence[Job], holder: UUID
) -> PgQueuer:
    """Ready to run, with what that holder had in hand when the database went given back. The
    connection acts as the worker, and is the queue's alone."""
    driver = AsyncpgDriver(cast(Any, connection))  # one of a pool does what its own would
    queries = LeasedQueries(driver, NAMES, holder)
    await queries.leases.give_back_all()
    queue = PgQueuer(driver, channel=NAMES.channel, queries=queries)
    queue.qm.queue_manager_id = QueueManagerId(holder)
    for kind in jobs:
        queue.qm.register_executor(kind.name, Attempt(kind, keepsake, queries))
        if expression := kind.schedule(keepsake.settings):
            queue.schedule(kind.name, expression)(partial(_ask, keepsake, kind))
    return queue


async def _ask(keepsake: Keepsake, kind: Job, _due: Schedule) -> None:
    """Queued rather than done at once, so that it is tried again as every job is."""
    await keepsake.everyone.queue.put(kind.name, [EVERYTHING])
