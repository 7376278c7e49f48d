from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeAlias

import pytest

from memory.database import WORKER_ROLE, Database
from memory.embedders.protocol import Embedding
from memory.errors import EmbeddingUnavailable, ReembeddingStopped
from memory.models import EmbeddingModel, NewItem
from memory.store.items import EmbeddedItem, Items
from memory.store.reembedding import NextVectors
from memory.upkeep.reembedding import BATCH, PAUSES, Reembedding
from migrations.reembedding import open_vector_schema
from tests.memory.fakes import WordEmbedder

Keep: TypeAlias = Callable[[int], Awaitable[None]]
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
async def vectors(own_database_url: str) -> AsyncIterator[NextVectors]:
    """Of a database in which the next model was announced."""
    async with open_vector_schema(own_database_url) as schema:
        await schema.begin(NEXT)
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    yield NextVectors(worker)
    await worker.close()


@pytest.fixture
async def keep(own_database_url: str) -> AsyncIterator[Keep]:
    """Keeps so many memories that wait for their first vector."""
    database = await Database.open(own_database_url)

    async def kept(count: int) -> None:
        items = [NewItem(content=f"User owns book {n}") for n in range(count)]
        bare = [EmbeddedItem(item, None, None) for item in items]
        await Items(database).save_all("ada", bare)

    yield kept
    await database.close()


async def test_each_vector_is_made_once_and_the_progress_told(
    vectors: NextVectors, keep: Keep
) -> None:
    await keep(BATCH + 20)
    embedder, told = WordEmbedder(), list[tuple[int, int]]()
    filling = Reembedding(vectors, embedder, lambda made, of: told.append((made, of)))
    assert await filling.fill() == BATCH + 20
    assert told == [(0, BATCH + 20), (BATCH, BATCH + 20), (BATCH + 20, BATCH + 20)]
    assert sorted(embedder.texts) == sorted(f"I own book {n}" for n in range(BATCH + 20))
    assert await filling.fill() == 0


async def test_a_model_that_is_away_is_waited_for(vectors: NextVectors, keep: Keep) -> None:
    await keep(3)
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    filling = Reembedding(vectors, FailsOften(len(PAUSES)), lambda _made, _of: None, sleep=sleep)
    assert await filling.fill() == 3
    assert pauses == list(PAUSES)
    assert sum(PAUSES) > 60


async def test_one_that_stays_away_ends_it(vectors: NextVectors, keep: Keep) -> None:
    await keep(3)

    async def sleep(_seconds: float) -> None:
        return

    embedder = FailsOften(len(PAUSES) + 1)
    filling = Reembedding(vectors, embedder, lambda _made, _of: None, sleep=sleep)
    with pytest.raises(ReembeddingStopped, match="it is down"):
        await filling.fill()
    assert (await vectors.count("items")).made == 0
