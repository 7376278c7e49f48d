from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

import numpy as np
import pytest

from memory.config import LOCAL_DIMENSIONS
from memory.embeddings.protocol import Embedding
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import PairSimilarity
from memory.types import NewMemory
from tests.memory.fakes import vector_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def save(
    database: Database, user_id: str, content: str, vector: Embedding | None = None
) -> UUID:
    model = None if vector is None else "words"
    new = EmbeddedMemory(NewMemory(content=content), vector, model)
    return (await MemoryStore(database).save(user_id, new)).id


async def test_each_pair_once_by_cosine(database: Database, user_id: str) -> None:
    texts = ["I drink green tea", "I drink black tea", "the train is late"]
    ids = [await save(database, user_id, text, vector_of(text)) for text in texts]
    ids.append(await save(database, user_id, "no vector yet"))
    known = dict(zip(ids, texts, strict=False))
    found = await PairSimilarity(database).between(user_id, [*ids, ids[0], uuid4()])
    assert len(found) == 3
    for (one, other), cosine in found.items():
        assert one < other
        expected = float(vector_of(known[one]) @ vector_of(known[other]))
        assert cosine == pytest.approx(expected, abs=0.01)


async def test_only_of_the_user_and_what_is_not_forgotten(database: Database, user_id: str) -> None:
    vector = vector_of("tea")
    mine = await save(database, user_id, "mine", vector)
    forgotten = await save(database, user_id, "forgotten", vector)
    strange = await save(database, f"{user_id}-other", "strange", vector)
    await MemoryStore(database).delete(user_id, forgotten)
    assert await PairSimilarity(database).between(user_id, [mine, forgotten, strange]) == {}


async def test_a_vector_without_direction_is_near_nothing(database: Database, user_id: str) -> None:
    nothing = np.zeros(LOCAL_DIMENSIONS, dtype=np.float32)
    ids = [
        await save(database, user_id, "tea", vector_of("tea")),
        await save(database, user_id, "nothing", nothing),
    ]
    assert list((await PairSimilarity(database).between(user_id, ids)).values()) == [0.0]


@pytest.mark.parametrize("count", [0, 1])
async def test_fewer_than_two_make_no_pair(database: Database, user_id: str, count: int) -> None:
    ids = [await save(database, user_id, "tea", vector_of("tea"))][:count]
    assert await PairSimilarity(database).between(user_id, ids) == {}
