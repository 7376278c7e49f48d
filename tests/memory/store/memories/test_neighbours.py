from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory.embeddings.protocol import Embedding
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore, SimilarMemory, find_similar
from memory.types import NewMemory
from tests.memory.fakes import vector_of

FAR = vector_of("something else entirely")


def new(
    content: str = "tea",
    vector: Embedding | None = None,
    simhash: int | None = 0,
    **fields: Any,
) -> EmbeddedMemory:
    item = NewMemory(content=content, **fields)
    return EmbeddedMemory(item, vector, "words", simhash=simhash)


NEARLY_ALL = -1  # sixty-four bits away from 0


async def near(database: Database, user_id: str, asked: EmbeddedMemory) -> list[SimilarMemory]:
    async with database.as_user(user_id) as connection:
        return await find_similar(connection, user_id, asked)


async def save(database: Database, user_id: str, item: EmbeddedMemory) -> UUID:
    return (await MemoryStore(database).save(user_id, item)).id


def ids(found: list[SimilarMemory]) -> set[UUID]:
    return {each.item.id for each in found}


async def test_each_way_of_being_near(database: Database, user_id: str) -> None:
    by_vector = await save(
        database, user_id, new("green tea", vector_of("I drink green tea"), NEARLY_ALL)
    )
    by_words = await save(database, user_id, new("tea", FAR, 0b111))
    far = await save(database, user_id, new("far", FAR, NEARLY_ALL))
    asked = new("tea", vector_of("I drink black tea"), 0)
    found = await near(database, user_id, asked)
    assert ids(found) == {by_vector, by_words, far}
    assert found[0].item.id == by_vector
    assert found[0].cosine == pytest.approx(0.75, abs=0.1)
    assert not found[0].replaced


async def test_at_most_twenty_by_vector(database: Database, user_id: str) -> None:
    for number in range(25):
        await save(database, user_id, new(f"tea {number}", vector_of(f"tea {number}"), NEARLY_ALL))
    assert len(await near(database, user_id, new("tea", vector_of("tea tea tea")))) == 20


@pytest.mark.parametrize("which", ["stored", "asked"])
async def test_without_a_vector_words_alone_are_asked(
    database: Database, user_id: str, which: str
) -> None:
    vector = vector_of("tea")
    stored, asked = (None, vector) if which == "stored" else (vector, None)
    alike = await save(database, user_id, new("alike", stored, 2**24 - 1))
    await save(database, user_id, new("not alike", stored, 2**25 - 1))
    await save(database, user_id, new("nothing known", stored, None))
    [found] = await near(database, user_id, new("tea", asked, 0))
    assert (found.item.id, found.cosine) == (alike, None)


async def test_what_was_replaced_lately_and_is_the_same_may_hold_again(
    database: Database, user_id: str
) -> None:
    items = MemoryStore(database)
    vector = vector_of("I live in Oslo")
    successor = await save(database, user_id, new("new", FAR, NEARLY_ALL))
    lately = await save(database, user_id, new("Oslo", vector, NEARLY_ALL))
    long_ago = await save(database, user_id, new("Oslo", vector, 0))
    other = await save(database, user_id, new("Rome", FAR, NEARLY_ALL))
    for each in (lately, long_ago, other):
        await items.supersede(user_id, each, successor)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE memory_items SET valid_to = now() - $2::interval WHERE id = $1",
            long_ago,
            timedelta(days=31),
        )
    found = [each for each in await near(database, user_id, new("Oslo", vector)) if each.replaced]
    assert [each.item.id for each in found] == [lately]


async def test_only_what_lives_in_the_same_place(database: Database, user_id: str) -> None:
    asked = new("tea", vector_of("tea"))
    for whose, item in (
        (f"{user_id}-other", asked),
        (user_id, new("tea", vector_of("tea"), space="work")),
        (user_id, new("tea", vector_of("tea"), expires_at=datetime(2020, 1, 1, tzinfo=UTC))),
    ):
        await save(database, whose, item)
    gone = await save(database, user_id, asked)
    await MemoryStore(database).delete(user_id, gone)
    assert await near(database, user_id, asked) == []
    kept = await save(database, user_id, replace(asked, embedding=None))
    assert ids(await near(database, user_id, asked)) == {kept}
