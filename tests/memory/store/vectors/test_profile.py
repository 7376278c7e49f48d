from __future__ import annotations

from memory.store.database import Database
from memory.store.vectors import read_embedding_profile
from memory.types import EmbeddingModel, EmbeddingProfile
from migrations.vector_swap import open_vector_schema
from tests.conftest import PROFILE

NEXT = EmbeddingModel("next", 12)


async def test_the_model_that_follows_is_announced_and_withdrawn(own_database_url: str) -> None:
    database = await Database.open(own_database_url)
    assert await read_embedding_profile(database) == EmbeddingProfile(PROFILE)
    async with open_vector_schema(own_database_url) as schema:
        await schema.begin(NEXT)
        assert await read_embedding_profile(database) == EmbeddingProfile(PROFILE, NEXT)
        await schema.abandon()
        assert await read_embedding_profile(database) == EmbeddingProfile(PROFILE)
    await database.close()
