"""Specification 000, “Background Workers”: rows without a vector ask for it, and get it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import asyncpg
import pytest
from prometheus_client import generate_latest
from pydantic import SecretStr

from app.bootstrap import Keepsake, open_keepsake
from app.tasks import cancel_and_wait
from app.worker.jobs import EMBED
from app.worker.worker import WorkerTerms, run_jobs, set_gauges
from memory.config import Settings
from memory.embeddings.protocol import Embedding
from memory.factory import make_worker_queries
from memory.local_services.services import ServiceAddresses
from memory.maintenance.backfill import BATCH
from memory.store.database import APPLICATION_ROLE, WORKER_ROLE
from memory.store.jobs import request_job
from tests.app.work.failing_embedder import FailingEmbedder
from tests.app.work.rows import hurry, jobs, keep_bare, owner_of, say, waiting
from tests.memory.embedded.conftest import eventually


class Batches(FailingEmbedder):
    """Keeps how many texts each call had."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self.sizes.append(len(texts))
        return await super().embed_texts(texts)


@pytest.fixture
def embeds() -> Batches:
    return Batches()


@pytest.fixture
async def keepsake(
    own_database_url: str, services: ServiceAddresses, settings: Settings, embeds: Batches
) -> AsyncIterator[Keepsake]:
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "worker_poll_seconds": 0.05,
        }
    )
    async with open_keepsake(addressed, lambda _: None) as opened:
        worker = opened.database.as_role(WORKER_ROLE)
        everyone = make_worker_queries(worker, embeds, addressed, opened.counters)
        yield replace(opened, everyone=everyone)


@asynccontextmanager
async def working(keepsake: Keepsake) -> AsyncIterator[None]:
    task = asyncio.create_task(run_jobs(keepsake, WorkerTerms(grace=5), [EMBED]))
    try:
        yield
    finally:
        await cancel_and_wait(task)


async def test_memory_embed_backfill_works_in_batches_with_retries_and_marks_what_it_filled(
    keepsake: Keepsake, database_url: str, embeds: Batches
) -> None:
    facts = [f"fact {number}" for number in range(BATCH + 10)]
    await keep_bare(keepsake.database, "ada", *facts)
    embeds.be_away(calls=1)

    async def done() -> bool:
        await hurry(database_url)
        return await waiting(database_url) == 0

    async with working(keepsake):
        await eventually(done)
    assert embeds.sizes == [BATCH, BATCH, 10]  # the first of them failed
    async with owner_of(database_url) as owner:
        row = await owner.fetchrow(
            "SELECT bool_and(embedding IS NOT NULL), bool_or(needs_embedding) FROM memory_items"
        )
    assert row is not None
    assert tuple(row) == (True, False)


async def test_backlog_size_oldest_age_time_to_embed_and_failures_are_exported(
    keepsake: Keepsake, database_url: str, embeds: Batches
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three", "I like tea")
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE memory_items SET waiting_since = now() - interval '90 seconds'")
    value = keepsake.counters.registry.get_sample_value
    await set_gauges(keepsake, datetime.now(UTC))
    assert value("keepsake_embedding_backlog", {"noun": "items"}) == 2
    age = value("keepsake_embedding_backlog_age_seconds", {"noun": "items"})
    assert age is not None
    assert 90 <= age < 150
    assert value("keepsake_jobs", {"state": "queued"}) == 1
    embeds.be_away(calls=1)

    async def done() -> bool:
        await hurry(database_url)
        return await waiting(database_url) == 0

    async with working(keepsake):
        await eventually(done)
    await set_gauges(keepsake, datetime.now(UTC))
    assert value("keepsake_embedding_backlog", {"noun": "items"}) == 0
    assert value("keepsake_embedding_wait_seconds_bucket", {"le": "60.0"}) == 0
    assert value("keepsake_embedding_wait_seconds_bucket", {"le": "300.0"}) == 2
    assert value("keepsake_embedding_failures_total") == 1
    assert b"ada" not in generate_latest(keepsake.counters.registry)


async def test_a_job_is_asked_for_in_the_transaction_that_writes_what_waits(
    keepsake: Keepsake, database_url: str
) -> None:
    """Nobody can forget to, what is rolled back asks for nothing, and much of one user asks
    once."""
    insert = "INSERT INTO memory_items (user_id, content, type) VALUES ('ada', 'x', 'fact')"
    with pytest.raises(ZeroDivisionError):
        async with keepsake.database.as_user("ada") as connection:
            await connection.execute(insert)
            raise ZeroDivisionError
    assert await jobs(database_url) == []
    for _ in range(5):
        await keep_bare(keepsake.database, "ada", "I park on level three")
        await say(keepsake.database, "ada", "hello")
    [job] = await jobs(database_url)
    assert (job["entrypoint"], job["payload"]) == (EMBED.name, b"ada")


async def test_a_row_that_comes_while_its_users_job_is_being_done_asks_for_another(
    keepsake: Keepsake, database_url: str, embeds: Batches
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    await hurry(database_url)
    embeds.free.clear()
    async with working(keepsake):
        await embeds.begun.wait()
        await keep_bare(keepsake.database, "ada", "I like tea")
        statuses = [job["status"] for job in await jobs(database_url)]
        assert statuses == ["picked", "queued"]
        embeds.free.set()
        await hurry(database_url)

        async def done() -> bool:
            return await waiting(database_url) == 0

        await eventually(done)


async def test_words_that_change_ask_for_a_new_vector(
    keepsake: Keepsake, database_url: str
) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    async with owner_of(database_url) as owner:
        await owner.execute("UPDATE memory_items SET needs_embedding = false")
        await owner.execute("DELETE FROM pgqueuer")
        await owner.execute("UPDATE memory_items SET importance = 1")
        assert await jobs(database_url) == []
        await owner.execute(
            "UPDATE memory_items SET content = 'level four', needs_embedding = true"
        )
    assert len(await jobs(database_url)) == 1


async def test_the_application_asks_for_its_own_user_alone_and_sees_no_job(
    keepsake: Keepsake, database_url: str
) -> None:
    async with keepsake.database.as_user("ada") as connection:
        await request_job(connection, "ada", "memory_learn")
        await request_job(connection, "bob", "memory_learn")
    [job] = await jobs(database_url)
    assert job["payload"] == b"ada"
    for forbidden in (
        "SELECT * FROM pgqueuer",
        "DELETE FROM pgqueuer",
        "SELECT * FROM pgqueuer_log",
        "SELECT put_job('memory_erase', 'bob', interval '0', true)",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with keepsake.database.as_user("ada") as connection:
                await connection.execute(forbidden)
    async with owner_of(database_url) as owner:
        await owner.execute(f"SET ROLE {APPLICATION_ROLE}")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="is not set"):
            await owner.execute("SELECT request_job('memory_learn', interval '0')")


async def test_two_transactions_never_wait_for_each_other_over_a_job(keepsake: Keepsake) -> None:
    """Each holds what it asked for, and asks for what the other holds."""
    database = keepsake.database
    async with asyncio.timeout(30):
        async with database.as_user("ada") as one, database.as_user("ada") as other:
            await request_job(one, "ada", "memory_learn")
            await request_job(other, "ada", "memory_erase")
            await request_job(one, "ada", "memory_erase")
            await request_job(other, "ada", "memory_learn")
        async with database.as_user("ada") as one, database.as_user("ada") as other:
            await request_job(one, "ada", "memory_learn")
            await request_job(other, "ada", "memory_learn")


async def test_a_job_is_not_taken_before_what_asked_for_it_is_committed(
    keepsake: Keepsake, database_url: str, embeds: Batches
) -> None:
    """Also where the job had been queued before by another."""
    await keep_bare(keepsake.database, "ada", "I park on level three")
    await hurry(database_url)
    insert = "INSERT INTO memory_items (user_id, content, type) VALUES ('ada', 'tea', 'fact')"
    async with keepsake.database.as_user("ada") as connection:
        await connection.execute(insert)
        async with working(keepsake):
            await keep_bare(keepsake.database, "bob", "I like tea")
            await hurry_of(database_url, "bob")
            await embeds.begun.wait()  # bob's, while ada's is held
            assert [job["status"] for job in await jobs_of(database_url, "ada")] == ["queued"]

    async def done() -> bool:
        return await waiting(database_url) == 0

    async with working(keepsake):
        await eventually(done)
    assert await jobs_of(database_url, "ada") == []


async def test_who_is_erased_whole_leaves_no_job_behind(
    keepsake: Keepsake, database_url: str
) -> None:
    for user_id in ("ada", "bob"):
        await keep_bare(keepsake.database, user_id, "I park on level three")
    async with keepsake.database.as_user("ada") as connection:
        await connection.execute("SELECT * FROM erase_user()")
    assert [job["payload"] for job in await jobs(database_url)] == [b"bob"]


async def jobs_of(url: str, user_id: str) -> list[asyncpg.Record]:
    return [job for job in await jobs(url) if job["payload"] == user_id.encode()]


async def hurry_of(url: str, user_id: str) -> None:
    async with owner_of(url) as owner:
        await owner.execute(
            "UPDATE pgqueuer SET execute_after = now() - interval '1 second' WHERE payload = $1",
            user_id.encode(),
        )
