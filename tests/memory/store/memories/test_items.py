from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from memory.database import Database
from memory.errors import EmbeddingOutdated, MemoryOff
from memory.models import HeardAs, NewItem, Origin
from memory.store.audit import Audit
from memory.store.conversations.conversations import Conversations
from memory.store.conversations.messages import NewMessage
from memory.store.memories.items import (
    EmbeddedItem,
    Items,
    Repeat,
    count_repeat,
    inherit,
    read_living,
    supersede,
    undo_supersede,
)
from memory.write.salience import salience_of
from tests.memory.fakes import vector_of

HEARD = HeardAs(kind="fact", category="preference", lifetime="long", sure=0.97)


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
            space="code",
            bank="Work",
            tags=("python",),
            role="assistant",
            source_ids=("mail:1",),
            importance=0.9,
            pinned=True,
            manually_saved=True,
            source_message_id=message.id,
            occurred_at=learned,
            created_at=learned,
            heard=HEARD,
        ),
    )
    assert kept.model_dump(exclude={"id"}) == {
        "content": "I prefer uv",
        "type": "preference",
        "space": "code",
        "bank": "Work",
        "role": "assistant",
        "tags": ("python",),
        "importance": 0.9,
        "pinned": True,
        "manually_saved": True,
        "created_at": learned,
        "occurred_at": learned,
        "source_message_id": message.id,
        "repeat_count": 0,
        "superseded_by": None,
        "deleted_at": None,
        "heard": HEARD.model_dump(),
    }
    assert await items.list_recent(user_id, space="code") == [kept]


async def test_what_it_is_found_and_ranked_by_is_kept(
    items: Items, database: Database, user_id: str
) -> None:
    described = replace(
        new("I live in Oslo", source_ids=("mail:1",)),
        simhash=-7,
        salience=0.3,
        metadata_confidence=0.6,
    )
    await items.save(user_id, described)
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            "SELECT simhash, salience, metadata_confidence, source_ids FROM memory_items"
        )
    assert row is not None
    assert tuple(row) == (-7, 0.3, 0.6, ["mail:1"])


def said_again(**fields: Any) -> Repeat:
    given: dict[str, Any] = {
        "tags": ("python",),
        "source_ids": ("one", "two"),
        "importance": 0.7,
        "metadata_confidence": 0.5,
        "manually_saved": False,
        "pinned": False,
        "occurred_at": None,
        "salience": 0.4,
    }
    return Repeat(**given | fields)


async def test_a_repeat_is_counted_and_adds_its_flags(
    items: Items, database: Database, user_id: str
) -> None:
    kept = await items.save(user_id, new("I prefer uv", manually_saved=True))
    when = datetime(2025, 3, 4, tzinfo=UTC)
    async with database.as_user(user_id) as connection:
        first = await count_repeat(
            connection, user_id, kept.id, said_again(pinned=True, occurred_at=when)
        )
        second = await count_repeat(connection, user_id, kept.id, said_again(counted=0))
        weight = await connection.fetchval("SELECT salience FROM memory_items")
    assert weight == pytest.approx(0.4)
    assert (first.repeat_count, second.repeat_count) == (1, 1)
    assert (second.tags, second.importance, second.occurred_at) == (("python",), 0.7, when)
    assert second.pinned
    assert second.manually_saved


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_no_repeat_is_counted_where_the_mode_forbids_it(
    items: Items, database: Database, user_id: str, mode: str
) -> None:
    kept = await items.save(user_id, new("I prefer uv"))
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_settings (user_id, space, memory_mode) VALUES ($1, 'default', $2)",
            user_id,
            mode,
        )
    with pytest.raises(MemoryOff):
        async with database.as_user(user_id) as connection:
            await count_repeat(connection, user_id, kept.id, said_again())
    with pytest.raises(MemoryOff):
        await items.save(user_id, new("I prefer pixi"))
    assert (await items.save(user_id, new("I prefer pixi", space="code"))).space == "code"
    assert await items.list_recent(user_id) == [kept]


async def test_a_replaced_memory_can_come_back(
    items: Items, database: Database, user_id: str
) -> None:
    old = await items.save(user_id, new("I live in Oslo"))
    by = await items.save(user_id, new("I live in Bergen"))
    async with database.as_user(user_id) as connection:
        gone = await supersede(connection, user_id, old.id, by.id)
        assert gone is not None
        assert gone.superseded_by == by.id
        assert await supersede(connection, user_id, old.id, by.id) is None
        assert set(await read_living(connection, user_id, [old.id, by.id])) == {by.id}
        assert await undo_supersede(connection, user_id, old.id) == old
        assert await undo_supersede(connection, user_id, old.id) is None
        valid_to = await connection.fetchval(
            "SELECT valid_to FROM memory_items WHERE id = $1", old.id
        )
    assert valid_to is None


async def test_nothing_replaces_itself(items: Items, user_id: str) -> None:
    kept = await items.save(user_id, new("I live in Oslo"))
    await items.supersede(user_id, kept.id, kept.id)
    assert await items.list_recent(user_id) == [kept]


async def test_a_pin_is_inherited_with_its_salience_and_nothing_else(
    items: Items, database: Database, user_id: str
) -> None:
    pinned = await items.save(user_id, new("one", pinned=True))
    saved = await items.save(user_id, new("two", manually_saved=True))
    newer = await items.save(user_id, new("three"))
    async with database.as_user(user_id) as connection:
        assert await inherit(connection, user_id, newer, saved, salience_of) == newer
        heir = await inherit(connection, user_id, newer, pinned, salience_of)
        stored = (await read_living(connection, user_id, [newer.id]))[newer.id]
        weight = await connection.fetchval(
            "SELECT salience FROM memory_items WHERE id = $1", newer.id
        )
    assert heir == stored
    assert (heir.pinned, heir.manually_saved) == (True, False)
    assert weight == pytest.approx(salience_of(heir))


async def test_all_are_kept_as_they_are(items: Items, user_id: str) -> None:
    kept = await items.save_all(user_id, [new("one"), new("two"), new("one")])
    assert [each.content for each in kept] == ["one", "two", "one"]
    assert await items.count(user_id) == 3


async def test_what_is_kept_in_one_go_is_written_down_once(
    items: Items, database: Database, user_id: str
) -> None:
    assert await items.save_all(user_id, []) == []
    await items.save_all(user_id, [new("one"), new("two")])
    await items.save_all(user_id, [new("three")], Origin("upkeep"))
    bad = replace(new("of another model"), embedding=np.ones(3, np.float32))
    with pytest.raises(EmbeddingOutdated):
        await items.save_all(user_id, [new("four"), bad])
    found = [(each.action, each.actor, each.detail) for each in await Audit(database).read(user_id)]
    assert found == [("seeded", "upkeep", {"count": 1}), ("seeded", "import", {"count": 2})]


@pytest.mark.parametrize("place", [0, 1, 2])
async def test_one_that_cannot_be_kept_leaves_nothing(
    items: Items, user_id: str, place: int
) -> None:
    batch = [new("one"), new("two")]
    batch.insert(place, replace(new("of another model"), embedding=np.ones(3, np.float32)))
    with pytest.raises(EmbeddingOutdated):
        await items.save_all(user_id, batch)
    assert await items.count(user_id) == 0


async def test_a_message_of_another_user_is_no_source(
    items: Items, database: Database, user_id: str
) -> None:
    said = NewMessage("user", "a secret", uuid4())
    message, _ = await Conversations(database).add_message(f"{user_id}-other", uuid4(), said)
    for missing in (message.id, uuid4()):
        kept = await items.save(user_id, new("borrowed", source_message_id=missing))
        async with database.as_user(user_id) as connection:
            source = await connection.fetchval(
                "SELECT source_message_id FROM memory_items WHERE id = $1", kept.id
            )
        assert source is None


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
