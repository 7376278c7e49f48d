from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import structlog

from memory.assembly import make_memory
from memory.cache import Cache
from memory.database import Database
from memory.models import MemoryQueryRequest, MemoryQueryResponse, NewItem
from memory.service import Memory
from memory.settings import Settings
from memory.store.conversations import NewMessage
from memory.store.items import EmbeddedItem, Items
from memory.tokens import TokenCounter
from tests.memory.fakes import BrokenEmbedder


async def ask(memory: Memory, user_id: str, query: str) -> list[str]:
    response = await memory.recall(MemoryQueryRequest(user_id=user_id, query=query))
    assert not response.error
    return [item.content for item in response.items]


async def test_what_was_remembered_is_recalled(memory: Memory, user_id: str) -> None:
    await memory.remember_all(
        user_id,
        [
            NewItem(content="User prefers uv over pip for Python dependencies"),
            NewItem(content="The cat sleeps on the sofa"),
        ],
    )
    recalled = await ask(memory, user_id, "Which Python package manager do I prefer?")
    assert recalled == ["User prefers uv over pip for Python dependencies"]
    assert await ask(memory, user_id, "How far is the moon from the earth?") == []


async def test_users_are_apart(memory: Memory, user_id: str) -> None:
    await memory.remember(user_id, NewItem(content="My sister is called Zoë"))
    other = f"{user_id}-other"
    assert await ask(memory, other, "What is my sister called?") == []
    assert await memory.list_recent(other) == []
    assert [kept.content for kept in await memory.list_recent(user_id)] == [
        "My sister is called Zoë"
    ]


async def test_recall_is_as_of_now(memory: Memory, user_id: str) -> None:
    ends = datetime.now(UTC) + timedelta(hours=1)
    await memory.remember(user_id, NewItem(content="I park on level three", expires_at=ends))
    request = MemoryQueryRequest(user_id=user_id, query="Where do I park?", min_score=0)
    assert len((await memory.recall(request)).items) == 1
    assert (await memory.recall(request, now=ends)).items == []


async def test_a_budget_and_a_correlation_are_handed_on(memory: Memory, user_id: str) -> None:
    await memory.remember(user_id, NewItem(content="I park on level three " * 20))
    correlation_id = uuid4()
    request = MemoryQueryRequest(user_id=user_id, query="Where do I park?", min_score=0)
    with structlog.testing.capture_logs() as logs:
        response = await memory.recall(request, correlation_id=correlation_id, token_budget=20)
    assert 0 < response.token_count <= 20
    assert response.truncated
    assert [each["correlation_id"] for each in logs if each["event"] == "recall"] == [
        str(correlation_id)
    ]


async def test_above_the_rate_limit_it_is_empty_and_flagged(
    database: Database,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    user_id: str,
) -> None:
    limited = settings.model_copy(update={"memory_queries_per_minute": 1})
    memory = make_memory(database, BrokenEmbedder(), cache, counter, limited)
    await memory.remember(user_id, NewItem(content="I prefer uv"))
    request = MemoryQueryRequest(user_id=user_id, query="uv", min_score=0)
    assert len((await memory.recall(request)).items) == 1
    assert await memory.recall(request) == MemoryQueryResponse(rate_limited=True)
    other = MemoryQueryRequest(user_id=f"{user_id}-other", query="uv")
    assert not (await memory.recall(other)).rate_limited


@pytest.mark.parametrize("whose", ["own", "other"])
async def test_missing_vectors_are_filled_for_one_user(
    memory: Memory, database: Database, user_id: str, whose: str
) -> None:
    bare = EmbeddedItem(NewItem(content="I prefer uv"), None, None)
    await Items(database).save(user_id, bare)
    await memory.conversations.add_message(user_id, uuid4(), NewMessage("user", "hi", uuid4()))
    filled = await memory.embed_waiting(user_id if whose == "own" else f"{user_id}-other")
    assert filled == (2 if whose == "own" else 0)
