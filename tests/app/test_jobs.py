"""`python -m app jobs`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from pydantic import SecretStr

from app.ops.jobs import JobCommand, drop_jobs, list_jobs, requeue_jobs
from app.runner import Shutdown
from memory.config import Settings
from memory.errors import InvalidInput
from memory.local_services.services import ServiceAddresses
from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import JobQueue
from tests.app.work.rows import owner_of

Runs = Callable[[JobCommand], Awaitable[str]]


@pytest.fixture
def run(
    settings: Settings,
    own_database_url: str,
    services: ServiceAddresses,
    capsys: pytest.CaptureFixture[str],
) -> Runs:
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
        }
    )

    async def run(command: JobCommand) -> str:
        assert await command(addressed, Shutdown()) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
async def queue(database: Database, database_url: str) -> JobQueue:
    """Two jobs of ada and bob that were given up, and one for everybody that waits."""
    queue = JobQueue(database.as_role(WORKER_ROLE))
    await queue.put("memory_learn", ["ada", "bob"])
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE pgqueuer SET status = 'failed', attempts = 5")
    await queue.put("reconcile", [""])
    return queue


async def test_what_was_given_up_is_listed_begun_anew_and_taken_away(
    queue: JobQueue, run: Runs
) -> None:
    assert (await run(list_jobs(dead=False))).startswith("3 jobs in the queue\n")
    dead = await run(list_jobs(dead=True))
    assert dead.startswith("2 jobs given up\n")
    assert [line.split()[1:3] for line in dead.splitlines()[2:]] == [
        ["memory_learn", "ada"],
        ["memory_learn", "bob"],
    ]
    ada, bob = await queue.listed(given_up=True, limit=10)
    assert await run(requeue_jobs([ada.id])) == "1 job to be done anew.\n"
    assert await run(drop_jobs([bob.id])) == "1 job taken away.\n"
    assert await run(list_jobs(dead=True)) == "0 jobs given up\n"
    assert (await queue.states()) == {"queued": 2, "picked": 0, "failed": 0}


async def test_all_of_them_at_once(queue: JobQueue, run: Runs) -> None:
    assert await run(requeue_jobs(None)) == "2 jobs to be done anew.\n"
    assert (await queue.states())["failed"] == 0


async def test_a_job_that_was_not_given_up_is_left_alone(queue: JobQueue, run: Runs) -> None:
    [waits] = [job for job in await queue.listed(given_up=False, limit=9) if not job.whose]
    with pytest.raises(InvalidInput, match=f"none was given up: {waits.id}"):
        await run(drop_jobs([waits.id]))
    with pytest.raises(InvalidInput, match="given up: 99999"):
        await run(requeue_jobs([99999]))
    assert (await queue.states()) == {"queued": 1, "picked": 0, "failed": 2}
