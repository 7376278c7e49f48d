"""Jobs over a real queue: done, tried again, given up, given back, and taken over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from app.bootstrap import Keepsake
from app.tasks import cancel_and_wait
from app.worker.jobs import EMBED, ERASE, JOBS, JobKind
from app.worker.queue import OUTCOMES
from app.worker.worker import MAX_CONCURRENT_JOBS, WorkerTerms, run_jobs
from memory.errors import DatabaseUnavailable
from memory.store.forgetting import ForgettingStore, TombstoneDigests
from memory.store.jobs import request_job
from memory.types import NewMemory, Origin
from tests.app.work.failing_embedder import FailingEmbedder
from tests.app.work.rows import hurry, jobs, keep_bare, owner_of, say, waiting
from tests.memory.embedded.conftest import eventually

TERMS = WorkerTerms(lease=timedelta(seconds=2), grace=5.0)


@asynccontextmanager
async def worker(
    keepsake: Keepsake, terms: WorkerTerms | None = None, kinds: Sequence[JobKind] = JOBS
) -> AsyncIterator[asyncio.Task[None]]:
    """One of its own, unless it is to go on as another one did."""
    own = terms or replace(TERMS, holder=uuid4())
    task = asyncio.create_task(run_jobs(keepsake, own, kinds))
    try:
        yield task
    finally:
        await cancel_and_wait(task)


async def test_rows_that_wait_are_filled_for_all_users(
    keepsake: Keepsake, database_url: str
) -> None:
    for user_id in ("ada", "bob", "cleo"):
        await keep_bare(keepsake.database, user_id, "I park on level three")
        await say(keepsake.database, user_id, "hello")
    await hurry(database_url)

    async def done() -> bool:
        return await waiting(database_url) == 0 and not await jobs(database_url)

    async with worker(keepsake, kinds=[EMBED]):
        await eventually(done)


async def test_what_is_forgotten_is_erased_at_its_time_and_what_waits_is_learned(
    keepsake: Keepsake, database_url: str
) -> None:
    kept = await keepsake.memory.remember("ada", NewMemory(content="I park on level three"))
    assert kept.item is not None
    await keepsake.memory.forgetting.forget("ada", [kept.item.id], Origin())
    await say(keepsake.database, "bob", "I live in Oslo with my sister.", learn=True)
    [erase] = await jobs(database_url, "memory_erase")
    assert timedelta(hours=23) < erase["execute_after"] - erase["created"] <= timedelta(hours=24)
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE tombstones SET erase_after = now()")
        await owner.execute("UPDATE messages SET created_at = now() - interval '10 minutes'")

    async def done() -> bool:
        async with owner_of(database_url) as owner:
            rows = await owner.fetch("SELECT content FROM memory_items")
        return [row["content"] for row in rows] == ["I live in Oslo with my sister"]

    async with worker(keepsake):  # the reconcile finds both
        await eventually(done)


async def test_a_model_that_hangs_leaves_room_for_other_work(
    keepsake: Keepsake, database_url: str, embeds: FailingEmbedder
) -> None:
    done: list[str | None] = []

    async def note(_keepsake: Keepsake, user_id: str | None) -> None:
        done.append(user_id)

    for number in range(2 * MAX_CONCURRENT_JOBS):
        await keep_bare(keepsake.database, f"user-{number}", "I park on level three")
    await hurry(database_url)
    embeds.free.clear()

    async def hangs() -> bool:
        picked = [job for job in await jobs(database_url, EMBED.name) if job["status"] == "picked"]
        return len(picked) == EMBED.at_most

    async def noted() -> bool:
        return done == ["ada"]

    async with worker(keepsake, WorkerTerms(grace=0.05), [EMBED, JobKind("noting", note)]):
        await eventually(hangs)
        await keepsake.everyone.queue.put("noting", ["ada"])
        await eventually(noted)
        assert await hangs()


def test_all_kinds_that_wait_for_a_model_leave_a_place_free() -> None:
    assert sum(kind.at_most or 0 for kind in JOBS) < MAX_CONCURRENT_JOBS


async def test_an_erasure_goes_before_a_backlog_of_vectors(
    keepsake: Keepsake, database_url: str
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    queue = keepsake.everyone.queue
    await queue.put_missing(ERASE.name, ["ada"], datetime.now(UTC))
    [embed], [erase] = await jobs(database_url, EMBED.name), await jobs(database_url, ERASE.name)
    assert erase["priority"] > embed["priority"]


async def test_what_is_forgotten_for_good_afterwards_asks_to_be_erased_now(
    keepsake: Keepsake, database_url: str
) -> None:
    kept = await keepsake.memory.remember("ada", NewMemory(content="I park on level three"))
    assert kept.item is not None
    store = ForgettingStore(
        keepsake.database, lambda text, vector: TombstoneDigests(b"digest", 1, None)
    )
    for for_good in (False, True):
        await store.forget("ada", [kept.item.id], Origin(), datetime.now(UTC), for_good=for_good)
    first, second = await jobs(database_url, ERASE.name)
    assert second["execute_after"] < first["execute_after"]
    assert second["execute_after"] <= datetime.now(UTC)


async def test_a_failing_embedder_is_asked_again_until_all_is_filled(
    keepsake: Keepsake, database_url: str, embeds: FailingEmbedder
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    embeds.be_away(calls=2)

    async def done() -> bool:
        await hurry(database_url)
        return await waiting(database_url) == 0 and not await jobs(database_url)

    async with worker(keepsake, kinds=[EMBED]):
        await eventually(done)
    counted = keepsake.counters.registry.get_sample_value
    put_off = {"job": EMBED.name, "outcome": "put_off"}
    assert counted("keepsake_jobs_done_total", put_off) == 2
    assert counted("keepsake_embedding_failures_total") == 2
    assert counted("keepsake_embedding_wait_seconds_count") == 1


async def test_what_may_become_of_each_kind_is_counted_from_0(keepsake: Keepsake) -> None:
    """Of a kind that nothing was done of yet, too: an alert sees the first of it."""
    counted = keepsake.counters.registry.get_sample_value
    series = [{"job": kind.name, "outcome": outcome} for kind in JOBS for outcome in OUTCOMES]

    async def begun() -> bool:
        return all(counted("keepsake_jobs_done_total", each) is not None for each in series)

    async with worker(keepsake):
        await eventually(begun)


async def test_a_job_that_fails_for_good_is_held_and_says_why_without_words(
    keepsake: Keepsake, database_url: str
) -> None:
    """And is begun anew when somebody asks for it, or goes."""

    async def fail(_keepsake: Keepsake, user_id: str | None) -> None:
        raise ValueError(f"the secret of {user_id}")

    async with keepsake.database.as_user("ada") as connection:
        await request_job(connection, "ada", "failing")
    queue = keepsake.everyone.queue

    async def given_up() -> bool:
        await hurry(database_url)
        return (await queue.states())["failed"] == 1

    async with worker(keepsake, kinds=[JobKind("failing", fail)]):
        await eventually(given_up)
    [held] = await queue.listed(given_up=True, limit=10)
    assert (held.name, held.whose, held.reason) == ("failing", "ada", "ValueError")
    async with owner_of(database_url) as owner:
        notes = await owner.fetch("SELECT traceback::text FROM pgqueuer_log")
    assert not any("secret" in (note["traceback"] or "") for note in notes)
    assert await queue.requeue(None) == [held.id]
    [again] = await queue.listed(given_up=False, limit=10)
    assert (again.status, again.attempts) == ("queued", 0)
    assert await queue.drop([held.id]) == []


async def test_a_failure_to_tidy_up_tells_no_words_either(
    keepsake: Keepsake, database_url: str
) -> None:
    async def fail(_keepsake: Keepsake, user_id: str | None) -> None:
        raise ValueError(f"the secret of {user_id}")

    queue = keepsake.everyone.queue
    await queue.put("failing", ["ada"])
    async with owner_of(database_url) as owner:
        await owner.execute(
            """
            UPDATE pgqueuer SET status = 'failed';
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$BEGIN RAISE 'no'; END$$;
            CREATE TRIGGER refuses BEFORE DELETE ON pgqueuer
                FOR EACH ROW WHEN (OLD.status = 'failed') EXECUTE FUNCTION refuse();
            """
        )
    await queue.put("failing", ["ada"])

    async def given_up() -> bool:
        await hurry(database_url)
        return (await queue.states())["failed"] == 2

    async with worker(keepsake, kinds=[JobKind("failing", fail)]):
        await eventually(given_up)
    reasons = [each.reason for each in await queue.listed(given_up=True, limit=10)]
    assert sorted(reasons, key=str) == [None, "ValueError"]
    async with owner_of(database_url) as owner:
        notes = await owner.fetch("SELECT traceback::text FROM pgqueuer_log")
    assert not any("secret" in (note["traceback"] or "") for note in notes)


async def test_of_one_kind_and_user_one_failure_is_held(
    keepsake: Keepsake, database_url: str
) -> None:
    async def fail(_keepsake: Keepsake, _user_id: str | None) -> None:
        raise ValueError

    queue = keepsake.everyone.queue
    await queue.put("failing", ["ada", "bob"])
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE pgqueuer SET status = 'failed', updated = now()")
    await queue.put("failing", ["ada"])

    async def given_up() -> bool:
        await hurry(database_url)
        states = await queue.states()
        return states == {"queued": 0, "picked": 0, "failed": 2}

    async with worker(keepsake, kinds=[JobKind("failing", fail)]):
        await eventually(given_up)
    held = await queue.listed(given_up=True, limit=10)
    assert sorted(each.whose for each in held) == ["ada", "bob"]
    assert await queue.drop([each.id for each in held]) == [each.id for each in held]


async def test_a_worker_that_ends_lets_the_job_in_hand_end(
    keepsake: Keepsake, database_url: str, embeds: FailingEmbedder
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    await hurry(database_url)
    embeds.free.clear()
    async with worker(keepsake, kinds=[EMBED]) as task:
        await embeds.begun.wait()
        task.cancel()
        embeds.free.set()
    assert await waiting(database_url) == 0
    assert await jobs(database_url, EMBED.name) == []


async def test_a_job_that_does_not_end_in_time_is_given_back(
    keepsake: Keepsake, database_url: str, embeds: FailingEmbedder
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    await hurry(database_url)
    embeds.free.clear()
    async with worker(keepsake, WorkerTerms(grace=0.05), [EMBED]):
        await embeds.begun.wait()
    [job] = await jobs(database_url, EMBED.name)
    assert job["status"] == "queued"
    embeds.free.set()

    async def done() -> bool:
        return await waiting(database_url) == 0

    async with worker(keepsake, kinds=[EMBED]):
        await eventually(done)


async def test_the_job_of_a_dead_worker_comes_back(keepsake: Keepsake, database_url: str) -> None:
    """Which died without a word, its job picked."""
    await keep_bare(keepsake.database, "ada", "I park on level three")
    async with owner_of(database_url) as owner:
        await owner.execute(
            "UPDATE pgqueuer SET status = 'picked', queue_manager_id = gen_random_uuid(), "
            "execute_after = now() - interval '1 hour', heartbeat = now()"
        )

    async def done() -> bool:
        return await waiting(database_url) == 0

    async with worker(keepsake, kinds=[EMBED]):
        await eventually(done)


async def test_several_workers_at_once_fill_every_row_once(
    keepsake: Keepsake, database_url: str
) -> None:
    async with owner_of(database_url) as owner:
        await owner.execute(
            """
            CREATE TABLE writes (id uuid);
            GRANT INSERT ON writes TO keepsake_worker;
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO writes VALUES (NEW.id); RETURN NEW; END';
            CREATE TRIGGER noted AFTER UPDATE OF embedding ON memory_items
                FOR EACH ROW EXECUTE FUNCTION note();
            """
        )
    for number in range(8):
        await keep_bare(keepsake.database, f"user-{number}", *(f"fact {n}" for n in range(40)))
    await hurry(database_url)

    async def done() -> bool:
        return await waiting(database_url) == 0

    async with worker(keepsake, kinds=[EMBED]), worker(keepsake, kinds=[EMBED]):
        await eventually(done)
    async with owner_of(database_url) as owner:
        counts = await owner.fetchrow("SELECT count(*), count(DISTINCT id) FROM writes")
    assert counts is not None
    assert tuple(counts) == (320, 320)


async def test_a_database_that_goes_is_noticed(keepsake: Keepsake, database_url: str) -> None:
    running = asyncio.create_task(run_jobs(keepsake, TERMS))

    async def works() -> bool:
        async with owner_of(database_url) as owner:
            return bool(await owner.fetchval("SELECT count(*) > 0 FROM pgqueuer_schedules"))

    await eventually(works)
    async with owner_of(database_url) as owner:
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(DatabaseUnavailable):
        async with asyncio.timeout(60):
            await running
