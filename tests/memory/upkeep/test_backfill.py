from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import EmbeddingRefused
from memory.maintenance.backfill import BATCH, VectorBackfill
from memory.metrics import MemoryMetrics
from memory.store.conversations import DatabaseConversations
from memory.store.database import WORKER_ROLE, Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.store.vectors import MissingVectorStore
from memory.types import NewMemory
from tests.memory.fakes import BrokenEmbedder, RefusingEmbedder, WordEmbedder


def backfill(database: Database, embedder: Embedder) -> VectorBackfill:
    return VectorBackfill(MissingVectorStore(database), embedder)


async def keep(database: Database, user_id: str, *texts: str) -> None:
    bare = [EmbeddedMemory(NewMemory(content=text), None, None) for text in texts]
    await MemoryStore(database).save_all(user_id, bare)


async def say(database: Database, user_id: str, text: str) -> None:
    new = NewMessage("user", text, uuid4())
    await DatabaseConversations(database).add_message(user_id, uuid4(), new)


async def waiting(database: Database, user_id: str) -> list[str]:
    embeddings = MissingVectorStore(database)
    rows = [
        *await embeddings.waiting("items", user_id, 500),
        *await embeddings.waiting("messages", user_id, 500),
    ]
    return [row.content for row in rows]


class FailsAfter(WordEmbedder):
    """Answers so many batches, then its server is away."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self._left = batches

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self._left -= 1
        if self._left < 0:
            return await BrokenEmbedder().embed_texts(texts)
        return await super().embed_texts(texts)


class ForgetsMeanwhile(WordEmbedder):
    """The user forgets everything while the vectors are made."""

    def __init__(self, items: MemoryStore, user_id: str) -> None:
        super().__init__()
        self._items = items
        self._user_id = user_id

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        for kept in await self._items.list_recent(self._user_id):
            await self._items.delete(self._user_id, kept.id)
        return await super().embed_texts(texts)


async def test_memories_and_messages_of_one_user_are_filled(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "User likes tea", "two")
    await say(database, user_id, "User likes coffee")
    await keep(database, f"{user_id}-other", "theirs")
    embedder = WordEmbedder()
    assert await backfill(database, embedder).run(user_id) == 3
    assert await waiting(database, user_id) == []
    assert await waiting(database, f"{user_id}-other") == ["theirs"]
    # A memory is embedded in the first person, a message as it was said.
    assert set(embedder.texts) == {"I like tea", "two", "User likes coffee"}


async def test_nothing_to_do_asks_no_embedder(database: Database, user_id: str) -> None:
    assert await backfill(database, BrokenEmbedder()).run(user_id) == 0


async def test_more_than_one_batch(database: Database, user_id: str) -> None:
    await keep(database, user_id, *[f"item {each}" for each in range(2 * BATCH + 1)])
    assert await backfill(database, WordEmbedder()).run(user_id) == 2 * BATCH + 1
    assert await waiting(database, user_id) == []


async def test_what_failed_waits_for_the_next_run(database: Database, user_id: str) -> None:
    await keep(database, user_id, *[f"item {each}" for each in range(BATCH + 5)])
    await backfill(database, FailsAfter(1)).run(user_id)
    assert len(await waiting(database, user_id)) == 5
    assert await backfill(database, WordEmbedder()).run(user_id) == 5


async def test_an_embedder_that_is_away_leaves_all(database: Database, user_id: str) -> None:
    await keep(database, user_id, "one")
    await say(database, user_id, "two")
    assert await backfill(database, BrokenEmbedder()).run(user_id) == 0
    assert await waiting(database, user_id) == ["one", "two"]


async def test_what_is_forgotten_meanwhile_is_left_alone(database: Database, user_id: str) -> None:
    await keep(database, user_id, "forget me")
    await backfill(database, ForgetsMeanwhile(MemoryStore(database), user_id)).run(user_id)
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT embedding, embedding_model FROM memory_items")
    assert row is not None
    assert tuple(row) == (None, None)


@pytest.fixture
async def both_roles(own_database_url: str) -> AsyncIterator[tuple[Database, Database]]:
    application = await Database.open(own_database_url)
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    yield application, worker
    await worker.close()
    await application.close()


async def test_the_worker_fills_everybodys(both_roles: tuple[Database, Database]) -> None:
    application, worker = both_roles
    for user_id in ("ada", "bob"):
        await keep(application, user_id, "one")
        await say(application, user_id, "two")
    assert await backfill(application, WordEmbedder()).run(None) == 0
    assert await backfill(worker, WordEmbedder()).run(None) == 4
    assert [await waiting(application, user_id) for user_id in ("ada", "bob")] == [[], []]


async def test_no_vector_is_made_of_a_secret(database: Database, user_id: str) -> None:
    await say(database, user_id, "My password is hunter2!Xy9, you know")
    embedder = WordEmbedder()
    assert await backfill(database, embedder).run(user_id) == 1
    assert embedder.texts == ["My password is [password removed], you know"]
    assert await waiting(database, user_id) == []


async def test_what_the_model_refuses_is_set_aside_and_holds_up_nothing(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "a refused thing", *[f"item {each}" for each in range(BATCH)])
    await say(database, user_id, "said and refused")
    await say(database, user_id, "said")
    counters = MemoryMetrics()
    with capture_logs() as logged:
        filled = await VectorBackfill(
            MissingVectorStore(database), RefusingEmbedder(), counters
        ).drain(user_id)
    assert filled == BATCH + 1
    assert await waiting(database, user_id) == []
    for noun in ("items", "messages"):
        labels = {"noun": noun}
        assert counters.registry.get_sample_value("keepsake_embedding_refusals_total", labels) == 1
    assert [line["noun"] for line in logged if line["event"] == "row_set_aside"] == [
        "items",
        "messages",
    ]
    assert "thing" not in str(logged)


async def test_what_is_set_aside_keeps_the_name_of_the_model_that_refused_it(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "a refused thing")
    await backfill(database, RefusingEmbedder()).drain(user_id)
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT embedding, embedding_model FROM memory_items")
    assert row is not None
    assert tuple(row) == (None, "words")


async def test_a_model_that_takes_nothing_leaves_all(database: Database, user_id: str) -> None:
    await keep(database, user_id, "one", "two")
    with pytest.raises(EmbeddingRefused):
        await backfill(database, RefusingEmbedder(everything=True)).drain(user_id)
    assert sorted(await waiting(database, user_id)) == ["one", "two"]


@pytest.mark.parametrize("table", ["memory_items", "messages"])
async def test_an_old_row_waits_from_when_it_needs_another_vector(
    database: Database, user_id: str, table: str
) -> None:
    await keep(database, user_id, "one")
    await say(database, user_id, "one")
    await backfill(database, WordEmbedder()).drain(user_id)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            f"UPDATE {table} SET waiting_since = now() - interval '3 years', "
            "created_at = now() - interval '3 years'"
        )
    async with database.as_user(user_id) as connection:
        await connection.execute(f"UPDATE {table} SET embedding = NULL, needs_embedding = true")
    counters = MemoryMetrics()
    assert (
        await VectorBackfill(MissingVectorStore(database), WordEmbedder(), counters).drain(user_id)
        == 1
    )
    waited = counters.registry.get_sample_value("keepsake_embedding_wait_seconds_sum")
    assert waited is not None
    assert waited < 60
