from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeAlias

import pytest
from structlog.testing import capture_logs

from memory.embeddings.protocol import Embedding
from memory.errors import EmbeddingUnavailable, ReembeddingStopped
from memory.maintenance.reembedding import BATCH, PAUSES, ReembeddingRun
from memory.store.database import WORKER_ROLE, Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.vectors import MissingVectorStore, NextVectorStore, ReembeddingProgress
from memory.types import EmbeddingModel, NewMemory
from migrations.vector_swap import open_vector_schema
from tests.memory.fakes import RefusingEmbedder, WordEmbedder

Keep: TypeAlias = Callable[[int], Awaitable[None]]
Save: TypeAlias = Callable[[str], Awaitable[None]]
NEXT = EmbeddingModel("words", WordEmbedder.dimensions)


class FailsOften(WordEmbedder):
    """So many times in a row, before each answer."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times
        self._left = times

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self._left -= 1
        if self._left >= 0:
            raise EmbeddingUnavailable(model=self.model, reason="it is down")
        self._left = self._times
        return await super().embed_texts(texts)


@pytest.fixture
async def vectors(own_database_url: str) -> AsyncIterator[NextVectorStore]:
    """Of a database in which the next model was announced."""
    async with open_vector_schema(own_database_url) as schema:
        await schema.begin(NEXT)
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    yield NextVectorStore(worker)
    await worker.close()


@pytest.fixture
async def keep(own_database_url: str) -> AsyncIterator[Keep]:
    """Keeps so many memories that wait for their first vector."""
    database = await Database.open(own_database_url)

    async def kept(count: int) -> None:
        items = [NewMemory(content=f"User owns book {n}") for n in range(count)]
        bare = [EmbeddedMemory(item, None, None) for item in items]
        await MemoryStore(database).save_all("ada", bare)

    yield kept
    await database.close()


@pytest.fixture
async def save(own_database_url: str) -> AsyncIterator[Save]:
    database = await Database.open(own_database_url)

    async def saved(content: str) -> None:
        await MemoryStore(database).save_all(
            "ada", [EmbeddedMemory(NewMemory(content=content), None, None)]
        )

    yield saved
    await database.close()


async def test_each_vector_is_made_once_and_the_progress_told(
    vectors: NextVectorStore, keep: Keep
) -> None:
    await keep(BATCH + 20)
    embedder, told = WordEmbedder(), list[tuple[int, int]]()
    filling = ReembeddingRun(vectors, embedder, lambda made, of: told.append((made, of)))
    assert await filling.fill() == BATCH + 20
    assert told == [(0, BATCH + 20), (BATCH, BATCH + 20), (BATCH + 20, BATCH + 20)]
    assert sorted(embedder.texts) == sorted(f"I own book {n}" for n in range(BATCH + 20))
    assert await filling.fill() == 0


async def test_a_model_that_is_away_is_waited_for(vectors: NextVectorStore, keep: Keep) -> None:
    await keep(3)
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    filling = ReembeddingRun(vectors, FailsOften(len(PAUSES)), lambda _made, _of: None, sleep=sleep)
    assert await filling.fill() == 3
    assert pauses == list(PAUSES)
    assert sum(PAUSES) > 60


async def test_what_the_model_refuses_keeps_nothing_from_its_end(
    vectors: NextVectorStore, keep: Keep, save: Save
) -> None:
    await keep(5)
    await save("User was refused a loan")
    embedder, told = RefusingEmbedder(), list[tuple[int, int]]()

    async def sleep(_seconds: float) -> None:
        raise AssertionError

    filling = ReembeddingRun(
        vectors, embedder, lambda made, of: told.append((made, of)), sleep=sleep
    )
    with capture_logs() as logged:
        assert await filling.fill() == 5
    assert told[-1] == (6, 6)
    assert [line["event"] for line in logged] == ["row_set_aside"]
    assert "loan" not in str(logged)
    calls = embedder.calls
    assert await filling.fill() == 0
    assert embedder.calls == calls


async def test_a_model_that_takes_nothing_ends_it(vectors: NextVectorStore, keep: Keep) -> None:
    await keep(3)
    filling = ReembeddingRun(vectors, RefusingEmbedder(everything=True), lambda _made, _of: None)
    with pytest.raises(ReembeddingStopped, match="status 400"):
        await filling.fill()
    assert await vectors.count("items") == ReembeddingProgress(0, 3)


async def test_what_the_model_before_refused_is_asked_of_this_one(
    vectors: NextVectorStore, keep: Keep, own_database_url: str
) -> None:
    await keep(1)
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    waiting = MissingVectorStore(worker)
    await waiting.set_aside("items", None, await waiting.waiting("items", None, 9), "the old one")
    await worker.close()
    assert await ReembeddingRun(vectors, WordEmbedder(), lambda _made, _of: None).fill() == 1


async def test_one_that_stays_away_ends_it(vectors: NextVectorStore, keep: Keep) -> None:
    await keep(3)

    async def sleep(_seconds: float) -> None:
        return

    embedder = FailsOften(len(PAUSES) + 1)
    filling = ReembeddingRun(vectors, embedder, lambda _made, _of: None, sleep=sleep)
    with pytest.raises(ReembeddingStopped, match="it is down"):
        await filling.fill()
    assert (await vectors.count("items")).made == 0
