"""The kinds of work that can wait: what each does, for whom, and when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

import structlog

from memory.config import Settings
from memory.config.settings import NEVER
from memory.maintenance.service import Maintenance
from memory.store import jobs
from memory.store.database import WORKER_ROLE
from memory.store.episodes import EpisodeUsers
from memory.store.jobs import JobQueue
from memory.store.spaces import UsersWithData
from memory.store.statistics import MetricTotalStore

# `reembed` needs the jobs and not the assistant, which takes seconds to import.
if TYPE_CHECKING:
    from app.bootstrap import Keepsake

# Far more than such work takes where all is well: what is not done by then does not end.
USUAL_DEADLINE = timedelta(minutes=30)
# Of work that goes through all that a user has, which may rightly take hours.
LONG_DEADLINE = timedelta(hours=6)
_log = structlog.get_logger(__name__)


def unscheduled(_settings: Settings) -> str | None:
    """Not by the clock."""
    return None


@dataclass(frozen=True)
class JobKind:
    """A kind of work: `name` is its entrypoint in the queue, and `run` does it for one user, or
    for everything where there is none.

    `run` may be called again for what it did before (the worker died, or two were queued), and
    finds nothing left then. What it raises is tried again; see `app.worker.queue`. `schedule` is
    a cron expression in UTC; None: not by the clock. A scheduled job is queued for no user. Where
    it waits for a model, `at_most` so many are done at once, of all workers together, so that a
    model that hangs leaves a worker free for all else. What is not done by its `deadline` is ended.
    """

    name: str
    run: Callable[[Keepsake, str | None], Awaitable[None]]
    schedule: Callable[[Settings], str | None] = unscheduled
    at_most: int | None = None
    deadline: timedelta = USUAL_DEADLINE


async def _embed(keepsake: Keepsake, user_id: str | None) -> None:
    """Until nothing of the user waits: what comes after the last look asks for a job of its
    own."""
    if user_id is not None and (filled := await keepsake.everyone.embed_waiting(user_id)):
        _log.info("vectors filled", count=filled)


EMBED = JobKind("memory_embed_backfill", _embed, at_most=2, deadline=LONG_DEADLINE)


async def _erase(keepsake: Keepsake, user_id: str | None) -> None:
    if user_id is not None and (erased := await keepsake.memory.erase_due(user_id)):
        _log.info("memories erased", count=erased)


ERASE = JobKind(jobs.ERASE_JOB, _erase)


async def _learn(keepsake: Keepsake, user_id: str | None) -> None:
    """What was left waiting since the program that took it ended too early."""
    if user_id is None:
        return
    await keepsake.memory.relearn(user_id)
    if looked_at := await keepsake.memory.learn_waiting(user_id):
        _log.info("messages learned from", count=looked_at)


# A message has a deadline of its own and a job a share of the time, three minutes together: this is
# for what else may hang, with the longest LEARN_TIMEOUT_SECONDS that there is.
LEARN = JobKind("memory_learn", _learn, at_most=1, deadline=timedelta(minutes=15))


NOTES_KEPT = timedelta(days=7)


async def _sweep_requests(keepsake: Keepsake, _user_id: str | None) -> None:
    if swept := await keepsake.everyone.sweep_requests(datetime.now(UTC)):
        _log.info("requests swept", count=swept)


async def _sweep_notes(keepsake: Keepsake, _user_id: str | None) -> None:
    await keepsake.everyone.queue.sweep_log(datetime.now(UTC) - NOTES_KEPT)


def _hourly_sweep(_settings: Settings) -> str:
    return "17 * * * *"


def _daily_sweep(_settings: Settings) -> str:
    return "23 4 * * *"


SWEEP_REQUESTS = JobKind("sweep_requests", _sweep_requests, _hourly_sweep)
SWEEP_NOTES = JobKind("sweep_notes", _sweep_notes, _daily_sweep)


TOTALS_KEPT = timedelta(days=400)


async def _expire(keepsake: Keepsake, _user_id: str | None) -> None:
    totals = MetricTotalStore(keepsake.database.as_role(WORKER_ROLE))
    if gone := await totals.expire((datetime.now(UTC) - TOTALS_KEPT).date()):
        _log.info("totals expired", count=gone)


def _daily_expiry(_settings: Settings) -> str:
    return "37 4 * * *"


EXPIRE_TOTALS = JobKind("expire_totals", _expire, _daily_expiry)


ForOne: TypeAlias = Callable[[Maintenance, str, datetime], Awaitable[object]]
Owners: TypeAlias = Callable[[UsersWithData, str, int], Awaitable[list[str]]]
"""The next users after one, at most so many: those with memories, or with what was noted."""

_PAGE = 500


async def enqueue_for_users(keepsake: Keepsake, name: str, owners: Owners) -> None:
    """A job for each of them: what goes wrong for one is tried again by itself, and nothing that
    ends in between begins anew. Who is still waiting from another night keeps their place. Raises
    SchemaOutdated where the login may not act as the worker."""
    residents, last = UsersWithData(keepsake.database.as_role(WORKER_ROLE)), ""
    while users := await owners(residents, last, _PAGE):
        await keepsake.everyone.queue.put(name, users)
        last = users[-1]


def _nightly_job(
    name: str,
    do: ForOne,
    schedule: Callable[[Settings], str | None],
    *,
    owners: Owners = UsersWithData.users,
    at_most: int | None = None,
) -> JobKind:
    async def run(keepsake: Keepsake, user_id: str | None) -> None:
        if user_id is None:
            await enqueue_for_users(keepsake, name, owners)
        else:
            await do(keepsake.memory.lifecycle, user_id, datetime.now(UTC))

    return JobKind(name, run, schedule, at_most, LONG_DEADLINE)


def _at(cron: str) -> str | None:
    return None if cron == NEVER else cron


CONSOLIDATION = _nightly_job(
    "memory_roll_up",
    lambda lifecycle, user_id, now: lifecycle.rolling_up.run(user_id, now),
    lambda settings: _at(settings.roll_up_schedule) if settings.roll_up else None,
    at_most=1,
)
CAPS = _nightly_job(
    "memory_caps",
    lambda lifecycle, user_id, now: lifecycle.keep_caps(user_id, now),
    lambda settings: _at(settings.cap_schedule),
)
RETENTION = _nightly_job(
    "memory_retention",
    lambda lifecycle, user_id, now: lifecycle.retention.run(user_id, now),
    lambda settings: _at(settings.retention_schedule),
)
INDEX_PRUNE = _nightly_job(
    "index_prune",
    lambda lifecycle, user_id, now: lifecycle.indexes.prune_vectors(user_id, now),
    lambda settings: _at(settings.prune_schedule),
)
INDEX_REBUILD = _nightly_job(
    "index_rebuild",
    lambda lifecycle, user_id, now: lifecycle.indexes.level_keywords(user_id, now),
    lambda settings: _at(settings.rebuild_schedule),
)
EXPIRY = _nightly_job(
    "expiry",
    lambda lifecycle, user_id, now: lifecycle.expiry.run(user_id, now),
    lambda settings: _at(settings.expiry_schedule),
    owners=UsersWithData.noted,
)
NIGHTLY_JOBS = (CONSOLIDATION, CAPS, RETENTION, INDEX_PRUNE, INDEX_REBUILD, EXPIRY)


EPISODE_CRON = "40 3 * * *"


async def _keep_up(keepsake: Keepsake, user_id: str | None) -> None:
    """Of one user, or, where none is named, asks for a job for each who has episodes: what goes
    wrong for one of them is tried again by itself."""
    if user_id is not None:
        await keepsake.memory.episodes.apply_retention(user_id)
        return
    owners = EpisodeUsers(keepsake.database.as_role(WORKER_ROLE))
    await enqueue_episode_owners(owners, keepsake.everyone.queue)


async def enqueue_episode_owners(owners: EpisodeUsers, queue: JobQueue) -> None:
    """A job for each who has episodes."""
    last = ""
    while users := await owners.next(last, _PAGE):
        await queue.put(EPISODE_RETENTION.name, users)
        last = users[-1]


def _episode_schedule(settings: Settings) -> str | None:
    return EPISODE_CRON if settings.episodes_enabled else None


EPISODE_RETENTION = JobKind(
    "episode_retention", _keep_up, _episode_schedule, at_most=1, deadline=LONG_DEADLINE
)


# So long what was given up is left alone before it is tried anew, also what never came back: a new
# version or a larger machine may have mended it, and an erasure was promised. If not, three workers
# stand still for a lease each, four times a day.
GIVEN_UP_FOR = timedelta(hours=6)


async def _reconcile(keepsake: Keepsake, _user_id: str | None) -> None:
    """Finds work that nobody queued, or whose job was lost, so that nothing waits for ever."""
    now, everyone = datetime.now(UTC), keepsake.everyone
    await _enqueue_missing(keepsake, EMBED, await everyone.users_lacking_vectors(now), now)
    await _enqueue_missing(keepsake, ERASE, await everyone.users_with_due_erasures(now), now)
    await _enqueue_missing(keepsake, LEARN, await everyone.users_waiting_to_learn(now), now)


async def _enqueue_missing(
    keepsake: Keepsake, kind: JobKind, users: Sequence[str], now: datetime
) -> None:
    if users:
        _log.info("work found", kind=kind.name, users=len(users))
        await keepsake.everyone.queue.put_missing(kind.name, users, now - GIVEN_UP_FOR)


def _every_minute(_settings: Settings) -> str:
    return "* * * * *"


RECONCILE = JobKind("reconcile", _reconcile, _every_minute, deadline=timedelta(minutes=5))


# The worker knows a kind of work by its line here.
JOBS: tuple[JobKind, ...] = (
    EMBED,
    EPISODE_RETENTION,
    ERASE,
    LEARN,
    RECONCILE,
    SWEEP_NOTES,
    SWEEP_REQUESTS,
    EXPIRE_TOTALS,
    *NIGHTLY_JOBS,
)
