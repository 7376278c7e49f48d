"""What a program does behind its answers: a worker's jobs, where no worker of its own is wanted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from agent.commands.parser import parse_commands
from app.bootstrap import Keepsake
from app.tasks import MAX_BACKOFF_SECONDS, exponential_backoff, maintain_user, maintain_user_forever
from app.worker.heartbeat import background_heartbeat_file, heartbeat
from memory.errors import KeepsakeError, SchemaOutdated
from memory.understanding import OfflineReader

# Of a job that is in hand when the program ends: nobody likes to wait for a terminal.
GRACE_SECONDS = 2.0
_log = structlog.get_logger(__name__)


async def run_in_background(keepsake: Keepsake, user_id: str | None) -> None:
    """The jobs of all users, until it is cancelled. Where the login may not act as the worker, the
    memory of the user that is named is maintained; where nobody is, there has to be a
    `python -m app worker` for them all, and the log says so."""
    # The first message should not wait for the weights of the reader to be loaded.
    await asyncio.to_thread(parse_commands, "hello", OfflineReader())
    if user_id is not None:
        await maintain_user(keepsake.memory, user_id)
    jobs = await asyncio.to_thread(_jobs_of, keepsake)
    try:
        await repeat_forever(jobs, keepsake.settings.worker_poll_seconds)
    except SchemaOutdated as error:  # as which the database refuses the role
        if user_id is None:
            _log.warning("no_work_behind", reason=str(error), start="python -m app worker")
        else:
            await maintain_user_forever(keepsake.memory, user_id)


def _jobs_of(keepsake: Keepsake) -> Callable[[], Awaitable[None]]:
    """The queue takes a while to import, for which no prompt should wait."""
    from app.worker.worker import WorkerTerms, run_jobs  # noqa: PLC0415

    file = background_heartbeat_file(keepsake.settings.keepsake_home)
    terms = WorkerTerms(grace=GRACE_SECONDS)

    async def jobs() -> None:
        async with heartbeat(file):
            await run_jobs(keepsake, terms)

    return jobs


async def repeat_forever(work: Callable[[], Awaitable[None]], pause: float) -> None:
    """What fails is done again after a pause, which grows until it has worked for a minute. Raises
    SchemaOutdated, which no pause mends."""
    pauses = exponential_backoff(pause)
    while True:
        began = time.monotonic()
        try:
            await work()
        except SchemaOutdated:
            raise
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("work put off", reason=str(error) or "timeout")
        except Exception as error:  # nobody looks at this task: it says so and goes on
            _log.error("work failed", exc_info=error)
        if time.monotonic() - began > MAX_BACKOFF_SECONDS:
            pauses = exponential_backoff(pause)
        await asyncio.sleep(next(pauses))
