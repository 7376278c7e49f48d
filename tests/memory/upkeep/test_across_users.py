from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.cache import Cache
from memory.config import Settings
from memory.factory import make_memory, make_worker_queries
from memory.maintenance.service import FILLED_WITHIN, LEARNED_WITHIN, MOST_LEARNERS, WorkerQueries
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.store.messages import NewMessage
from memory.tokens import TokenCounter
from tests.memory.fakes import WordEmbedder


def later() -> datetime:
    """A moment at which what was said just now has waited long enough."""
    return datetime.now(UTC) + LEARNED_WITHIN + timedelta(minutes=1)


@pytest.fixture
async def application(own_database_url: str) -> AsyncIterator[Database]:
    database = await Database.open(own_database_url)
    yield database
    await database.close()


@pytest.fixture
def memory(
    application: Database, cache: Cache, counter: TokenCounter, settings: Settings
) -> MemoryService:
    return make_memory(application, WordEmbedder(), cache, counter, settings)


@pytest.fixture
def everyone(application: Database, settings: Settings) -> WorkerQueries:
    return make_worker_queries(application.as_role(WORKER_ROLE), WordEmbedder(), settings)


async def say(memory: MemoryService, user_id: str, text: str, *, learned: bool = False) -> None:
    said = NewMessage("user", text, uuid4(), needs_learning=not learned)
    await memory.conversations.add_message(user_id, uuid4(), said)


async def test_those_whose_messages_were_left_waiting_are_found(
    memory: MemoryService, everyone: WorkerQueries
) -> None:
    await say(memory, "ada", "I live in Oslo with my sister.")
    await say(memory, "bob", "I live in Bergen with my brother.", learned=True)
    assert await everyone.users_waiting_to_learn(datetime.now(UTC)) == []
    assert await everyone.users_waiting_to_learn(later()) == ["ada"]


async def test_those_whose_rows_wait_for_a_vector_are_found_after_a_minute(
    memory: MemoryService, everyone: WorkerQueries
) -> None:
    await say(memory, "ada", "hello")
    assert await everyone.users_lacking_vectors(datetime.now(UTC)) == []
    soon = datetime.now(UTC) + FILLED_WITHIN + timedelta(seconds=1)
    assert await everyone.users_lacking_vectors(soon) == ["ada"]
    assert await everyone.embed_waiting("ada") == 1
    assert await everyone.users_lacking_vectors(soon) == []


async def test_a_round_takes_a_bounded_number_of_users_and_the_next_one_goes_on(
    memory: MemoryService, everyone: WorkerQueries
) -> None:
    users = [f"user-{number:03}" for number in range(MOST_LEARNERS + 3)]
    for user_id in users:
        await say(memory, user_id, "I live in Oslo with my sister.")
    rounds = [await everyone.users_waiting_to_learn(later()) for _ in range(3)]
    assert rounds == [users[:MOST_LEARNERS], users[MOST_LEARNERS:], users[:MOST_LEARNERS]]
