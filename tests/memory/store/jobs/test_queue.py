from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import JobQueue

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=1)


@pytest.fixture
async def worker(own_database_url: str) -> AsyncIterator[Database]:
    """On a database whose queue is this test's alone."""
    opened = await Database.open(own_database_url, role=WORKER_ROLE)
    yield opened
    await opened.close()


@pytest.fixture
def queue(worker: Database) -> JobQueue:
    return JobQueue(worker)


async def jobs(worker: Database) -> list[tuple[str, str]]:
    async with worker.as_user("-") as connection:
        rows = await connection.fetch("SELECT payload, status::text FROM pgqueuer ORDER BY id")
    return [(row["payload"].decode(), row["status"]) for row in rows]


async def become(worker: Database, status: str, updated: datetime = NOW) -> None:
    async with worker.as_user("-") as connection:
        change = "UPDATE pgqueuer SET status = $1::pgqueuer_status, updated = $2"
        await connection.execute(change, status, updated)


async def test_what_is_queued_already_is_not_queued_again(
    queue: JobQueue, worker: Database
) -> None:
    for _ in range(3):
        await queue.put("memory_learn", ["ada", "bob"])
    assert await jobs(worker) == [("ada", "queued"), ("bob", "queued")]


async def test_a_job_that_begins_later_is_no_reason_not_to_queue_one(
    queue: JobQueue, worker: Database
) -> None:
    await queue.put("memory_erase", ["ada"], after=timedelta(days=1))
    await queue.put("memory_erase", ["ada"], after=timedelta(hours=1))
    await queue.put("memory_erase", ["ada"], after=timedelta(hours=2))
    assert len(await jobs(worker)) == 2


async def test_a_job_that_is_being_tried_again_is_enough(queue: JobQueue, worker: Database) -> None:
    await queue.put("memory_learn", ["ada"], after=timedelta(minutes=5))
    async with worker.as_user("-") as connection:
        await connection.execute("UPDATE pgqueuer SET attempts = 3")
    await queue.put("memory_learn", ["ada"])
    assert len(await jobs(worker)) == 1


async def test_a_users_job_is_queued_beside_one_that_is_done_and_everybodys_is_not(
    queue: JobQueue, worker: Database
) -> None:
    await queue.put("memory_learn", ["ada", ""])
    await become(worker, "picked")
    await queue.put("memory_learn", ["ada", ""])
    assert await jobs(worker) == [("ada", "picked"), ("", "picked"), ("ada", "queued")]


@pytest.mark.parametrize(
    ("status", "updated", "asked"),
    [("picked", LONG_AGO, False), ("failed", NOW, False), ("failed", LONG_AGO, True)],
    ids=["is being done", "was given up just now", "was given up long ago"],
)
async def test_the_reconcile_asks_for_what_is_not_being_done_and_not_just_given_up(
    queue: JobQueue, worker: Database, status: str, updated: datetime, asked: bool
) -> None:
    await queue.put("memory_learn", ["ada"])
    await become(worker, status, updated)
    await queue.put_missing("memory_learn", ["ada"], NOW - timedelta(hours=6))
    assert (("ada", "queued") in await jobs(worker)) is asked


async def test_notes_of_jobs_that_were_given_up_stay_with_them(
    queue: JobQueue, worker: Database
) -> None:
    await queue.put("memory_learn", ["ada"])
    await become(worker, "failed")
    async with worker.as_user("-") as connection:
        await connection.execute(
            "INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority, created) "
            "SELECT id + extra, 'failed', entrypoint, 0, $1 FROM pgqueuer, "
            "generate_series(0, 1) AS extra",
            LONG_AGO,
        )
    await queue.sweep_log(NOW)
    async with worker.as_user("-") as connection:
        kept = await connection.fetchval("SELECT array_agg(job_id) FROM pgqueuer_log")
        assert kept == [await connection.fetchval("SELECT id FROM pgqueuer")]


@pytest.mark.parametrize("name", ["", "Memory", "a b", "x" * 61])
async def test_a_name_that_is_none_is_refused(queue: JobQueue, name: str) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError):
        await queue.put(name, ["ada"])
