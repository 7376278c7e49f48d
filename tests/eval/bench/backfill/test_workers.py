"""The benchmark's own parts, in small: a worker's process is killed while it embeds."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from openai import AsyncOpenAI, InternalServerError
from pydantic import SecretStr

from eval.bench.backfill import BackfillRows, VectorCounts
from eval.bench.fake_models import (
    EMBEDDING_DIMENSIONS,
    EMBEDDING_MODEL,
    ScriptedEmbeddingServer,
    scripted_vector,
)
from eval.bench.processes import WorkerProcesses
from memory.config import Settings
from memory.local_services.services import ServiceAddresses
from memory.store.database import Database
from memory.types import EmbeddingModel
from migrations.runner import migrate
from migrations.scratch import scratch_database
from tests.app.work.rows import owner_of
from tests.memory.embedded.conftest import eventually

SECONDS = 90.0


@pytest.fixture
async def own_url(services: ServiceAddresses) -> AsyncIterator[str]:
    """A database for the vectors of the played model."""
    async with scratch_database(services.database_url, prefix="test") as url:
        await migrate(url, EmbeddingModel(EMBEDDING_MODEL, EMBEDDING_DIMENSIONS))
        yield url


@pytest.fixture
async def rows(own_url: str) -> AsyncIterator[BackfillRows]:
    database = await Database.open(own_url)
    rows = BackfillRows(database)
    await rows.count_vectors()
    yield rows
    await database.close()


async def test_what_a_killed_worker_had_in_hand_is_embedded_once_by_another(
    own_url: str, rows: BackfillRows, services: ServiceAddresses, settings: Settings, tmp_path: Path
) -> None:
    redis = settings.model_copy(update={"redis_url": SecretStr(services.redis_url)})
    server = ScriptedEmbeddingServer(0.0, seed=1)
    server.be("hanging")
    users = [f"user-{number}" for number in range(4)]
    async with server.listening() as url:
        workers = WorkerProcesses(redis, own_url, url, tmp_path / "log")
        await rows.queue(users, [f"fact {number}" for number in range(400)])
        await workers.start(1)

        async def embeds() -> bool:
            return server.calls > 0

        await eventually(embeds, SECONDS)
        await workers.kill_one(random.Random(1))
        server.be("well")
        async with owner_of(own_url) as owner:  # as if the lease had passed
            await owner.execute("UPDATE pgqueuer SET heartbeat = now() - interval '1 minute'")
        await rows.until_done(SECONDS)
        assert await workers.stop() == 0
    assert await rows.given() == VectorCounts(writes=400, rows=400, lost=0)


async def test_the_played_model_has_moods() -> None:
    server = ScriptedEmbeddingServer(0.0, seed=1)
    async with (
        server.listening() as url,
        AsyncOpenAI(api_key="k", base_url=url, max_retries=0) as client,
    ):
        answer = await client.embeddings.create(
            model=EMBEDDING_MODEL, input=["tea", "a cup"], encoding_format="float"
        )
        assert [each.embedding for each in answer.data] == [
            scripted_vector("tea"),
            scripted_vector("a cup"),
        ]
        server.be("failing")
        failed = 0
        for _ in range(40):
            try:
                await client.embeddings.create(
                    model=EMBEDDING_MODEL, input="tea", encoding_format="float"
                )
            except InternalServerError:
                failed += 1
        assert 5 < failed < 20
