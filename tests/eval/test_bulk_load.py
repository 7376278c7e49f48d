from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest

from eval.bulk_load import (
    DatedMessage,
    PreparedMemory,
    load_conversation,
    load_memories,
)
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.store.search import MemorySearch, SearchScope
from memory.store.vectors import MissingVectorStore
from tests.memory.fakes import vector_of


def ready(*texts: str) -> list[PreparedMemory]:
    return [PreparedMemory(uuid4(), text, vector_of(text)) for text in texts]


async def test_what_is_loaded_is_found_and_waits_for_nothing(
    database: Database, user_id: str
) -> None:
    items = ready("I prefer uv", "The cat sleeps")
    await load_memories(database, user_id, items, "words")
    scope = SearchScope(user_id, datetime.now(UTC))
    hits = await MemorySearch(database).search_by_keyword(scope, "uv", 9)
    assert [hit.id for hit in hits] == [items[0].id]
    near = await MemorySearch(database).search_by_vector(scope, vector_of("cat"), 1)
    assert [hit.id for hit in near] == [items[1].id]
    assert await MissingVectorStore(database).waiting("items", user_id, 9) == []


async def test_all_or_none(database: Database, user_id: str) -> None:
    twice = ready("one")[0]
    with pytest.raises(asyncpg.UniqueViolationError):
        await load_memories(database, user_id, [*ready("two"), twice, twice], "words")
    assert await MemoryStore(database).count(user_id) == 0


async def test_nothing_to_load(database: Database, user_id: str) -> None:
    await load_memories(database, user_id, [], "words")
    assert await MemoryStore(database).count(user_id) == 0


async def test_a_past_conversation_keeps_its_order_and_its_days(
    database: Database, user_id: str
) -> None:
    chat, turn, began = uuid4(), uuid4(), datetime(2024, 3, 15, tzinfo=UTC)
    messages = [
        DatedMessage(uuid4(), "user", "Which package manager?", turn, began),
        DatedMessage(uuid4(), "assistant", "uv.", turn, began + timedelta(seconds=1)),
        DatedMessage(uuid4(), "user", "Thanks.", uuid4(), began),
    ]
    await load_conversation(database, user_id, chat, messages)
    conversations = DatabaseConversations(database)
    kept = await conversations.read_recent(user_id, chat, 9)
    assert [(each.id, each.role, each.content) for each in kept] == [
        (each.id, each.role, each.content) for each in messages
    ]
    assert [each.created_at for each in kept] == [each.created_at for each in messages]
    assert [each.correlation_id for each in kept[:2]] == [turn, turn]
    [opened] = await conversations.list_conversations(user_id)
    assert (opened.id, opened.title) == (chat, "Which package manager?")
    waiting = await MissingVectorStore(database).waiting("messages", user_id, 9)
    assert [row.id for row in waiting] == [each.id for each in messages]


async def test_a_conversation_that_is_there_is_not_loaded_again(
    database: Database, user_id: str
) -> None:
    chat = uuid4()
    said = DatedMessage(uuid4(), "user", "one", uuid4(), datetime(2024, 3, 15, tzinfo=UTC))
    await load_conversation(database, user_id, chat, [said])
    with pytest.raises(asyncpg.UniqueViolationError):
        await load_conversation(database, user_id, chat, [said])
