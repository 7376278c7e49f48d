from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from memory.database import Database
from memory.models import NewItem
from memory.store.conversations import Conversations, NewMessage
from memory.store.items import EmbeddedItem, Items
from tests.memory.fakes import vector_of


def new(content: str, **fields: Any) -> EmbeddedItem:
    return EmbeddedItem(NewItem(content=content, **fields), vector_of(content), "words")


@pytest.fixture
def items(database: Database) -> Items:
    return Items(database)


async def test_a_memory_is_kept_as_it_was_given(
    items: Items, database: Database, user_id: str
) -> None:
    said = NewMessage("user", "I prefer uv", uuid4())
    message, _ = await Conversations(database).add_message(user_id, uuid4(), said)
    learned = datetime(2025, 3, 4, tzinfo=UTC)
    kept = await items.save(
        user_id,
        new(
            "I prefer uv",
            type="preference",
            bank="Work",
            tags=("python",),
            importance=0.9,
            manually_saved=True,
            source_message_id=message.id,
            created_at=learned,
        ),
    )
    assert kept.model_dump(exclude={"id"}) == {
        "content": "I prefer uv",
        "type": "preference",
        "bank": "Work",
        "importance": 0.9,
        "pinned": False,
        "manually_saved": True,
        "created_at": learned,
        "source_message_id": message.id,
        "repeat_count": 0,
    }
    assert await items.list_recent(user_id) == [kept]


async def test_the_same_words_again_count_as_a_repeat(items: Items, user_id: str) -> None:
    first = await items.save(user_id, new("I prefer uv"))
    again = await items.save(user_id, new("i PREFER uv", manually_saved=True))
    assert (again.id, again.repeat_count, again.content) == (first.id, 1, "I prefer uv")
    assert again.manually_saved
    third = await items.save(user_id, new("I prefer uv"))
    assert third.manually_saved
    assert await items.count(user_id) == 1


async def test_ten_writers_at_once_keep_one_memory(
    items: Items, database: Database, user_id: str
) -> None:
    all_connected = asyncio.Barrier(10)

    async def connect() -> None:
        async with database.as_user(user_id):
            await all_connected.wait()

    await asyncio.gather(*(connect() for _ in range(10)))
    await asyncio.gather(*(items.save(user_id, new("I prefer uv")) for _ in range(10)))
    [kept] = await items.list_recent(user_id)
    assert kept.repeat_count == 9


async def test_other_words_spaces_and_users_are_not_the_same(items: Items, user_id: str) -> None:
    await items.save(user_id, new("I prefer uv"))
    await items.save(user_id, new("I prefer uv."))
    await items.save(user_id, new("I prefer uv", space="work"))
    await items.save(f"{user_id}-other", new("I prefer uv"))
    assert await items.count(user_id) == 2
    assert await items.count(user_id, "work") == 1
    assert await items.count(f"{user_id}-other") == 1


@pytest.mark.parametrize("how", ["deleted", "superseded", "expired"])
async def test_what_is_gone_is_not_repeated(items: Items, user_id: str, how: str) -> None:
    expires = datetime.now(UTC) - timedelta(days=1) if how == "expired" else None
    old = await items.save(user_id, new("I prefer uv", expires_at=expires))
    if how == "deleted":
        await items.delete(user_id, old.id)
    elif how == "superseded":
        by = await items.save(user_id, new("I prefer pixi"))
        await items.supersede(user_id, old.id, by.id)
    kept = await items.save(user_id, new("I prefer uv"))
    assert (kept.id == old.id, kept.repeat_count) == (False, 0)
    assert old.id not in [each.id for each in await items.list_recent(user_id)]


async def test_all_are_kept_as_they_are(items: Items, user_id: str) -> None:
    kept = await items.save_all(user_id, [new("one"), new("two"), new("one")])
    assert [each.content for each in kept] == ["one", "two", "one"]
    assert await items.count(user_id) == 3


@pytest.mark.parametrize("place", [0, 1, 2])
async def test_one_that_cannot_be_kept_leaves_nothing(
    items: Items, user_id: str, place: int
) -> None:
    batch = [new("one"), new("two")]
    batch.insert(place, new("of a message that does not exist", source_message_id=uuid4()))
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await items.save_all(user_id, batch)
    assert await items.count(user_id) == 0


async def test_a_message_of_another_user_is_no_source(
    items: Items, database: Database, user_id: str
) -> None:
    said = NewMessage("user", "a secret", uuid4())
    message, _ = await Conversations(database).add_message(f"{user_id}-other", uuid4(), said)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await items.save(user_id, new("borrowed", source_message_id=message.id))


async def test_the_newest_come_first_and_no_more_than_asked(items: Items, user_id: str) -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(4):
        await items.save(user_id, new(f"day {number}", created_at=day + timedelta(days=number)))
    newest = await items.list_recent(user_id, limit=2)
    assert [each.content for each in newest] == ["day 3", "day 2"]


async def test_deleting_drops_the_vector_and_keeps_the_row(
    items: Items, database: Database, user_id: str
) -> None:
    kept = await items.save(user_id, new("I prefer uv"))
    await items.delete(f"{user_id}-other", kept.id)
    assert await items.count(user_id) == 1
    await items.delete(user_id, kept.id)
    assert await items.count(user_id) == 0
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            "SELECT content, embedding, needs_embedding FROM memory_items WHERE id = $1", kept.id
        )
    assert row is not None
    assert tuple(row) == ("I prefer uv", None, False)


async def test_a_memory_without_a_vector_waits_for_one(
    items: Items, database: Database, user_id: str
) -> None:
    bare = await items.save(user_id, EmbeddedItem(NewItem(content="bare"), None, None))
    full = await items.save(user_id, new("full"))
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT id, needs_embedding FROM memory_items")
    assert {row["id"]: row["needs_embedding"] for row in rows} == {bare.id: True, full.id: False}
