from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from pgvector import HalfVector

from memory.store.conversations import DatabaseConversations
from memory.store.database import WORKER_ROLE, Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.store.vectors import EmbeddedTable, MissingVectorStore, UnembeddedRow
from memory.types import NewMemory
from tests.memory.fakes import vector_of

NOUNS: tuple[EmbeddedTable, ...] = ("items", "messages")


async def keep(
    database: Database, noun: EmbeddedTable, user_id: str, *texts: str
) -> list[UnembeddedRow]:
    """Rows without a vector, in the order of the texts."""
    for text in texts:
        if noun == "items":
            await MemoryStore(database).save(
                user_id, EmbeddedMemory(NewMemory(content=text), None, None)
            )
        else:
            new = NewMessage("user", text, uuid4())
            await DatabaseConversations(database).add_message(user_id, uuid4(), new)
    return await MissingVectorStore(database).waiting(noun, user_id, 100)


@pytest.fixture
async def worker(own_database_url: str) -> AsyncIterator[tuple[Database, MissingVectorStore]]:
    """The application's and the worker's view of a database of their own."""
    application = await Database.open(own_database_url)
    opened = await Database.open(own_database_url, role=WORKER_ROLE)
    yield application, MissingVectorStore(opened)
    await opened.close()
    await application.close()


@pytest.mark.parametrize("noun", NOUNS)
async def test_what_waits_comes_oldest_first(
    database: Database, user_id: str, noun: EmbeddedTable
) -> None:
    rows = await keep(database, noun, user_id, "one", "two", "three")
    assert [row.content for row in rows] == ["one", "two", "three"]
    assert await MissingVectorStore(database).waiting(noun, user_id, 2) == rows[:2]


@pytest.mark.parametrize("noun", NOUNS)
async def test_what_is_filled_waits_no_more(
    database: Database, user_id: str, noun: EmbeddedTable
) -> None:
    rows = await keep(database, noun, user_id, "one", "two")
    embeddings = MissingVectorStore(database)
    await embeddings.write(noun, user_id, rows[:1], [vector_of("one")], "words")
    assert await embeddings.waiting(noun, user_id, 9) == rows[1:]
    table = "memory_items" if noun == "items" else "messages"
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            f"SELECT embedding, embedding_model FROM {table} WHERE id = $1", rows[0].id
        )
    assert row is not None
    assert row["embedding"] == HalfVector(vector_of("one"))
    assert row["embedding_model"] == "words"


@pytest.mark.parametrize("noun", NOUNS)
async def test_a_vector_that_is_there_is_left_alone(
    database: Database, user_id: str, noun: EmbeddedTable
) -> None:
    rows = await keep(database, noun, user_id, "one")
    embeddings = MissingVectorStore(database)
    await embeddings.write(noun, user_id, rows, [vector_of("one")], "first")
    await embeddings.write(noun, user_id, rows, [vector_of("two")], "second")
    table = "memory_items" if noun == "items" else "messages"
    async with database.as_user(user_id) as connection:
        assert await connection.fetchval(f"SELECT embedding_model FROM {table}") == "first"


async def test_what_was_forgotten_meanwhile_gets_no_vector(
    database: Database, user_id: str
) -> None:
    rows = await keep(database, "items", user_id, "one")
    await MemoryStore(database).delete(user_id, rows[0].id)
    assert await MissingVectorStore(database).waiting("items", user_id, 9) == []
    await MissingVectorStore(database).write("items", user_id, rows, [vector_of("one")], "words")
    async with database.as_user(user_id) as connection:
        assert await connection.fetchval("SELECT embedding FROM memory_items") is None


@pytest.mark.parametrize("noun", NOUNS)
async def test_one_user_never_fills_anothers_rows(
    database: Database, user_id: str, noun: EmbeddedTable
) -> None:
    theirs = await keep(database, noun, f"{user_id}-other", "theirs")
    embeddings = MissingVectorStore(database)
    assert await embeddings.waiting(noun, user_id, 9) == []
    await embeddings.write(noun, user_id, theirs, [vector_of("x")], "words")
    assert await embeddings.waiting(noun, f"{user_id}-other", 9) == theirs


@pytest.mark.parametrize("noun", NOUNS)
async def test_the_worker_sees_everybodys(
    worker: tuple[Database, MissingVectorStore], noun: EmbeddedTable
) -> None:
    database, embeddings = worker
    rows = [(await keep(database, noun, user, user))[0] for user in ("ada", "bob")]
    assert await embeddings.waiting(noun, None, 9) == rows
    await embeddings.write(noun, None, rows, [vector_of("ada"), vector_of("bob")], "words")
    assert await embeddings.waiting(noun, None, 9) == []


@pytest.mark.parametrize("noun", NOUNS)
async def test_a_row_that_somebody_is_changing_is_left_for_the_next_run(
    database: Database, user_id: str, noun: EmbeddedTable
) -> None:
    """To wait for it while others are held would be to wait for each other, one day."""
    one, two = await keep(database, noun, user_id, "one", "two")
    embeddings = MissingVectorStore(database)
    table = "memory_items" if noun == "items" else "messages"
    async with database.as_user(user_id) as changing:
        await changing.execute(f"SELECT FROM {table} WHERE id = $1 FOR UPDATE", one.id)
        vectors = [vector_of("one"), vector_of("two")]
        await embeddings.write(noun, user_id, [one, two], vectors, "words")
    assert await embeddings.waiting(noun, user_id, 9) == [one]
