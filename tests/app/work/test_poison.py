"""Jobs that never come back: ended, tried a few times, held for somebody to look at. Nothing else
waits for them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from app.bootstrap import Keepsake
from app.ops.jobs import list_jobs
from app.runner import Shutdown
from app.worker.jobs import JobKind
from app.worker.queue import MAX_TAKINGS
from app.worker.worker import WorkerTerms
from memory.config import Settings
from memory.ingestion.learner import MOST_TRIES
from memory.local_services.services import ServiceAddresses
from memory.store.jobs import QueuedJob
from memory.store.messages import LearningQueue
from tests.app.program import Program
from tests.app.work.rows import Row, hurry, jobs, owner_of, say
from tests.app.work.test_worker import worker
from tests.memory.embedded.conftest import eventually

SOON = timedelta(seconds=0.1)
LEASE = timedelta(seconds=1)


def terms(lease: timedelta = LEASE) -> WorkerTerms:
    return WorkerTerms(lease=lease, grace=0.05)


class Hanging:
    """Work that never ends for one user, and is done at once for the others."""

    def __init__(self, poisoned: str = "ada") -> None:
        self.poisoned = poisoned
        self.begun: list[str | None] = []
        self.ended = 0
        self.done: list[str | None] = []

    async def __call__(self, _keepsake: Keepsake, user_id: str | None) -> None:
        self.begun.append(user_id)
        if user_id == self.poisoned:
            try:
                await asyncio.Event().wait()
            finally:
                self.ended += 1
        self.done.append(user_id)


async def row(url: str) -> Row:
    [found] = await jobs(url, "hanging")
    return found


async def held(keepsake: Keepsake) -> list[QueuedJob]:
    return await keepsake.everyone.queue.listed(given_up=True, limit=10)


async def until_held(keepsake: Keepsake, url: str) -> QueuedJob:
    async def given_up() -> bool:
        await hurry(url)
        return len(await held(keepsake)) == 1

    await eventually(given_up, 60)
    [found] = await held(keepsake)
    return found


async def test_what_is_not_done_by_its_deadline_is_ended_tried_again_and_held(
    keepsake: Keepsake, addressed: Settings, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """While other kinds, and other users of the same kind, are done; where only one of it may be
    done at a time, too."""
    hanging, other = Hanging(), Hanging()
    kinds = [JobKind("hanging", hanging, at_most=1, deadline=SOON), JobKind("other", other)]
    queue = keepsake.everyone.queue
    await queue.put("hanging", ["ada", "bob", "cleo"])
    await queue.put("other", ["bob"])

    async def others_done() -> bool:
        return set(hanging.done) == {"bob", "cleo"} and other.done == ["bob"]

    async with worker(keepsake, terms(), kinds), worker(keepsake, terms(), kinds):
        await eventually(others_done)
        found = await until_held(keepsake, database_url)
    assert hanging.begun.count("ada") == hanging.ended == MAX_TAKINGS
    assert (found.whose, found.attempts) == ("ada", MAX_TAKINGS)
    assert await list_jobs(dead=True)(addressed, Shutdown()) == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert "1 job given up" in listed
    assert "taken 3 times and never finished: its deadline of 0:00:00.1" in listed


async def test_a_held_job_stays_held_after_a_restart_until_it_is_begun_anew(
    keepsake: Keepsake, database_url: str
) -> None:
    hanging, other = Hanging(), Hanging()
    kinds = [JobKind("hanging", hanging, deadline=SOON), JobKind("other", other)]
    queue = keepsake.everyone.queue
    await queue.put("hanging", ["ada"])
    async with worker(keepsake, terms(), kinds):
        found = await until_held(keepsake, database_url)

    async def others_done() -> bool:
        return other.done == ["bob"]

    await queue.put("other", ["bob"])
    await hurry(database_url)
    async with worker(keepsake, terms(), kinds):
        await eventually(others_done)
    assert len(hanging.begun) == MAX_TAKINGS
    assert await queue.requeue([found.id]) == [found.id]
    [again] = [job for job in await queue.listed(given_up=False, limit=9) if job.id == found.id]
    assert (again.status, again.attempts) == ("queued", 0)
    hanging.poisoned = "nobody"

    async def done() -> bool:
        return await jobs(database_url, "hanging") == []

    async with worker(keepsake, terms(), kinds):
        await eventually(done)
    assert hanging.done == ["ada"]


async def test_what_waits_after_its_deadline_is_enough_for_who_asks_again(
    keepsake: Keepsake, database_url: str
) -> None:
    await keepsake.everyone.queue.put("hanging", ["ada"])

    async def put_off() -> bool:
        found = await row(database_url)
        return bool(found["status"] == "queued" and found["takings"])

    async with worker(keepsake, terms(), [JobKind("hanging", Hanging(), deadline=SOON)]):
        await eventually(put_off)
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE pgqueuer SET execute_after = now() + interval '1 minute'")
    await keepsake.everyone.queue.put("hanging", ["ada"])
    assert len(await jobs(database_url, "hanging")) == 1


async def test_one_that_does_not_let_itself_be_ended_holds_nothing_up(
    keepsake: Keepsake, database_url: str
) -> None:
    let_go = asyncio.Event()

    async def deaf(_keepsake: Keepsake, _user_id: str | None) -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    await keepsake.everyone.queue.put("hanging", ["ada"])

    async def put_off() -> bool:
        return bool((await row(database_url))["status"] == "queued")

    try:
        async with worker(keepsake, terms(), [JobKind("hanging", deaf, deadline=SOON)]):
            await eventually(put_off)
    finally:
        let_go.set()


async def test_a_program_that_ends_uses_up_no_attempt(
    keepsake: Keepsake, database_url: str
) -> None:
    hanging = Hanging()
    await keepsake.everyone.queue.put("hanging", ["ada"])

    for times in range(1, MAX_TAKINGS + 3):

        async def begun(times: int = times) -> bool:
            return len(hanging.begun) == times

        async with worker(keepsake, terms(), [JobKind("hanging", hanging)]):
            await eventually(begun)
            assert (await row(database_url))["takings"] == 1, "counted before it begins"
        found = await row(database_url)
        assert (found["status"], found["attempts"], found["takings"]) == ("queued", 0, 0)


async def test_what_it_needs_may_be_away_for_long_without_its_takings_being_counted(
    keepsake: Keepsake, database_url: str
) -> None:
    tries: list[str | None] = []

    async def needs(_keepsake: Keepsake, user_id: str | None) -> None:
        tries.append(user_id)
        if len(tries) < 3 * MAX_TAKINGS:
            raise TimeoutError

    await keepsake.everyone.queue.put("hanging", ["ada"])

    async def done() -> bool:
        await hurry(database_url)
        return await jobs(database_url, "hanging") == []

    async with worker(keepsake, terms(), [JobKind("hanging", needs)]):
        await eventually(done)
    assert len(tries) == 3 * MAX_TAKINGS


async def test_a_database_that_went_in_the_middle_uses_up_no_attempt(
    keepsake: Keepsake, database_url: str
) -> None:
    """The worker goes on under its old name as soon as it is back."""
    hanging, same = Hanging(), terms(timedelta(minutes=1))
    await keepsake.everyone.queue.put("hanging", ["ada"])

    async def begun() -> bool:
        return len(hanging.begun) == 1

    async with worker(keepsake, same, [JobKind("hanging", hanging)]) as task:
        await eventually(begun)
        async with owner_of(database_url) as owner:
            await owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await asyncio.wait({task})
    assert (await row(database_url))["status"] == "picked"
    hanging.poisoned = "nobody"

    async def done() -> bool:
        return hanging.done == ["ada"]

    async with worker(keepsake, same, [JobKind("hanging", hanging)]):
        await eventually(done)


async def test_a_message_that_nobody_survives_is_given_up_and_told_and_the_later_ones_are_learned(
    keepsake: Keepsake, database_url: str
) -> None:
    for text in ("My cat Tom is poison.", "I live in Oslo with my sister."):
        await say(keepsake.database, "ada", text, learn=True)
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE messages SET created_at = now() - interval '10 minutes'")
        [poison] = await owner.fetch("SELECT id FROM messages WHERE content ~ 'poison'")
    for _ in range(MOST_TRIES):
        await LearningQueue(keepsake.database).begin("ada", poison["id"])

    async def told() -> bool:
        return len(await held(keepsake)) == 1

    async with worker(keepsake, terms()):  # the reconcile finds that she waits
        await eventually(told)
    kept = await keepsake.memory.list_recent("ada")
    assert [item.content for item in kept] == ["I live in Oslo with my sister"]
    [found] = await held(keepsake)
    assert (found.name, found.whose) == ("memory_learn", "ada")
    assert str(found.reason).startswith("Nothing is learned from 1 of the messages: it was begun 2")


@pytest.mark.parametrize("becomes", ["failed", "picked"], ids=["held", "taken over"])
@pytest.mark.parametrize("ends", ["well", "badly", "never"])
async def test_a_worker_that_lost_a_job_changes_nothing_of_it(
    keepsake: Keepsake, database_url: str, becomes: str, ends: str
) -> None:
    """Whether what it still did of it ends, fails, or goes on."""
    begun, go_on, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work(_keepsake: Keepsake, _user_id: str | None) -> None:
        begun.set()
        try:
            if ends == "never":
                await asyncio.Event().wait()
            await go_on.wait()
            if ends == "badly":
                raise ValueError
        finally:
            ended.set()

    await keepsake.everyone.queue.put("hanging", ["ada"])
    async with worker(keepsake, terms(), [JobKind("hanging", work)]), asyncio.timeout(60):
        await begun.wait()
        async with owner_of(database_url) as owner:
            await owner.execute(
                "UPDATE pgqueuer SET status = $1::pgqueuer_status, attempts = 4,"
                " heartbeat = now() + interval '1 hour', queue_manager_id = gen_random_uuid()",
                becomes,
            )
        before = dict(await row(database_url))
        go_on.set()
        await ended.wait()
    assert dict(await row(database_url)) == before


@contextmanager
def hanging_worker(program: Program, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.work.hanging_worker", *words],
        cwd=program.folder,
        env=program.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await asyncio.to_thread(process.stdout.readline)).strip()


@pytest.fixture
def program(tmp_path: Path, database_url: str, services: ServiceAddresses) -> Program:
    return Program(tmp_path, DATABASE_URL=database_url, REDIS_URL=services.redis_url)


@asynccontextmanager
async def stood_still(program: Program, file: Path) -> AsyncIterator[list[str]]:
    """As many programs as may take a job, each of which stands still over it until the file is
    there; what they say and do then comes before the end."""
    with ExitStack() as stack:
        stuck = []
        for _ in range(MAX_TAKINGS):
            stuck.append(stack.enter_context(hanging_worker(program, str(file))))
            assert await said(stuck[-1]) == "begun"
        went_on: list[str] = []
        yield went_on
        for each in stuck:
            went_on += [await said(each), await said(each)]


async def test_a_job_that_kills_whoever_does_it_is_held_by_the_next(
    keepsake: Keepsake, database_url: str, program: Program
) -> None:
    await keepsake.everyone.queue.put("hanging", ["ada"])
    for _ in range(MAX_TAKINGS):
        with hanging_worker(program) as process:
            assert await said(process) == "begun"
    hanging, other = Hanging(), Hanging()
    await keepsake.everyone.queue.put("other", ["bob"])
    kinds = [JobKind("hanging", hanging, at_most=1), JobKind("other", other)]
    async with worker(keepsake, terms(), kinds):
        found = await until_held(keepsake, database_url)
    assert (hanging.begun, other.done) == ([], ["bob"])
    assert (found.status, found.attempts) == ("failed", MAX_TAKINGS)
    assert found.reason == (
        "taken 3 times and never finished: whoever did it died of it, or stood still"
    )


async def test_a_job_that_stops_whoever_does_it_is_held_and_they_do_not_go_on_with_it(
    keepsake: Keepsake, database_url: str, program: Program, tmp_path: Path
) -> None:
    await keepsake.everyone.queue.put("hanging", ["ada"])
    hanging, file = Hanging(), tmp_path / "go on"
    async with (
        stood_still(program, file) as went_on,
        worker(keepsake, terms(), [JobKind("hanging", hanging)]),
    ):
        before = await until_held(keepsake, database_url)
        file.touch()
    assert went_on == ["went on", "ended"] * MAX_TAKINGS
    assert (await held(keepsake), hanging.begun) == ([before], [])
