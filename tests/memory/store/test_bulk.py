from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import pytest

from memory.database import Database
from memory.store.bulk import Bulk, ReadyItem
from memory.store.embeddings import Embeddings
from memory.store.items import Items
from memory.store.search import Scope, Search
from tests.memory.fakes import vector_of


def ready(*texts: str) -> list[ReadyItem]:
    return [ReadyItem(uuid4(), text, vector_of(text)) for text in texts]


async def test_what_is_loaded_is_found_and_waits_for_nothing(
    database: Database, user_id: str
) -> None:
    items = ready("I prefer uv", "The cat sleeps")
    await Bulk(database).load(user_id, items, "words")
    scope = Scope(user_id, datetime.now(UTC))
    hits = await Search(database).search_by_keyword(scope, "uv", 9)
    assert [hit.id for hit in hits] == [items[0].id]
    near = await Search(database).search_by_vector(scope, vector_of("cat"), 1)
    assert [hit.id for hit in near] == [items[1].id]
    assert await Embeddings(database).waiting("items", user_id, 9) == []


async def test_all_or_none(database: Database, user_id: str) -> None:
    twice = ready("one")[0]
    with pytest.raises(asyncpg.UniqueViolationError):
        await Bulk(database).load(user_id, [*ready("two"), twice, twice], "words")
    assert await Items(database).count(user_id) == 0


async def test_nothing_to_load(database: Database, user_id: str) -> None:
    await Bulk(database).load(user_id, [], "words")
    assert await Items(database).count(user_id) == 0
