"""Which vectors a database takes in which nothing was embedded yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import numpy as np
import pytest

from memory.store.database import Database
from memory.store.vectors import MissingVectorStore
from memory.types import EmbeddingModel
from migrations.runner import owner_connection, read_profile
from migrations.scratch import scratch_database
from migrations.vector_swap import VectorSchema, open_vector_schema
from tests.conftest import PROFILE
from tests.memory.fakes import unit
from tests.migrations.catalogue import catalogue
from tests.migrations.rows import fill

LONGER = EmbeddingModel("text-embedding-3-small", 1536)
SAME_LENGTH = EmbeddingModel("another", PROFILE.dimensions)
MADE = f"embedding_model = '{PROFILE.name}', needs_embedding = false"
VECTOR = f"embedding = array_fill(0.05, ARRAY[{PROFILE.dimensions}])::halfvec, {MADE}"
ONCE = {
    "a memory": f"UPDATE memory_items SET {VECTOR} WHERE content LIKE '%Aurora'",
    "a message": f"UPDATE messages SET {VECTOR} WHERE role = 'user'",
    "an episode": f"UPDATE episodes SET {VECTOR}",
    "a memory that was trimmed since": f"UPDATE memory_items SET {MADE}, deleted_at = now()",
    "a text that the model refused": f"UPDATE messages SET {MADE} WHERE role = 'user'",
}


@pytest.fixture
async def filled_url(own_database_url: str) -> AsyncIterator[str]:
    """With a row in every table, none of which has a vector."""
    await fill(own_database_url)
    yield own_database_url


async def choose(url: str, model: EmbeddingModel) -> EmbeddingModel | None:
    async with owner_connection(url) as connection:
        await VectorSchema(connection).choose(model)
    return await read_profile(url)


async def is_bound(url: str) -> bool:
    async with owner_connection(url) as connection:
        return await VectorSchema(connection).is_bound()


async def run(url: str, statement: str) -> str:
    async with owner_connection(url) as connection:
        return str(await connection.execute(statement))


@pytest.mark.parametrize("model", [LONGER, SAME_LENGTH], ids=["another length", "the same length"])
async def test_before_the_first_vector_another_model_may_be_chosen(
    filled_url: str, model: EmbeddingModel
) -> None:
    before = await catalogue(filled_url)
    assert not await is_bound(filled_url)
    assert await choose(filled_url, model) == model
    assert await catalogue(filled_url) == before
    assert await choose(filled_url, PROFILE) == PROFILE
    assert await catalogue(filled_url) == before


async def test_what_waited_waits_for_a_vector_of_the_new_model(filled_url: str) -> None:
    await choose(filled_url, LONGER)
    database = await Database.open(filled_url, role="keepsake_worker")
    waiting = MissingVectorStore(database)
    for noun in ("items", "messages"):
        rows = await waiting.waiting(noun, None, 10)
        assert rows
        vectors = [unit(np.ones(LONGER.dimensions, np.float32))] * len(rows)
        assert len(await waiting.write(noun, None, rows, vectors, LONGER.name)) == len(rows)
    await database.close()
    assert await is_bound(filled_url)


@pytest.mark.parametrize("statement", ONCE.values(), ids=ONCE)
async def test_with_its_first_vector_a_database_keeps_to_its_model(
    filled_url: str, statement: str
) -> None:
    assert await run(filled_url, statement) != "UPDATE 0"
    before = await catalogue(filled_url)
    assert await choose(filled_url, LONGER) == PROFILE
    assert await catalogue(filled_url) == before


async def test_a_model_that_is_announced_is_not_passed_over(filled_url: str) -> None:
    async with open_vector_schema(filled_url) as schema:
        await schema.begin(SAME_LENGTH)
        assert await is_bound(filled_url)
        assert await choose(filled_url, LONGER) == PROFILE


async def test_a_program_that_runs_keeps_the_model_that_it_found(filled_url: str) -> None:
    program = await Database.open(filled_url)
    assert await choose(filled_url, LONGER) == PROFILE
    await program.close()
    assert await choose(filled_url, LONGER) == LONGER


async def test_a_scratch_database_beside_it_is_no_program_that_runs(filled_url: str) -> None:
    """As `backup --verify` and an evaluation make one."""
    async with scratch_database(filled_url):
        assert await choose(filled_url, LONGER) == LONGER


async def test_programs_that_start_at_once_choose_once(filled_url: str) -> None:
    assert [*await asyncio.gather(*(choose(filled_url, LONGER) for _ in range(4)))] == [LONGER] * 4


async def test_a_login_that_may_not_look_leaves_it_as_it_is(filled_url: str) -> None:
    owner = await asyncpg.connect(filled_url)
    try:
        await owner.execute("SET SESSION AUTHORIZATION keepsake_app")
        assert await VectorSchema(owner).is_bound()
    finally:
        await owner.close()
