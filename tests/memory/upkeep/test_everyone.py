from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from app.worker import work_once
from memory.assembly import make_everyone, make_memory
from memory.cache import Cache
from memory.database import WORKER_ROLE, Database
from memory.service import Memory
from memory.settings import Settings
from memory.store.messages import NewMessage
from memory.tokens import TokenCounter
from memory.upkeep.everyone import LEARNED_WITHIN, MOST_LEARNERS, Everyone
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
) -> Memory:
    return make_memory(application, WordEmbedder(), cache, counter, settings)


@pytest.fixture
def everyone(application: Database, settings: Settings) -> Everyone:
    return make_everyone(application.acting_as(WORKER_ROLE), WordEmbedder(), settings)


async def say(memory: Memory, user_id: str, text: str, *, learned: bool = False) -> None:
    said = NewMessage("user", text, uuid4(), needs_learning=not learned)
    await memory.conversations.add_message(user_id, uuid4(), said)


async def test_the_worker_learns_from_what_was_left_waiting(
    memory: Memory, everyone: Everyone
) -> None:
    await say(memory, "ada", "I live in Oslo with my sister.")
    await say(memory, "bob", "I live in Bergen with my brother.", learned=True)
    await work_once(everyone, memory, datetime.now(UTC))
    assert await memory.list_recent("ada") == []
    await work_once(everyone, memory, later())
    assert len(await memory.list_recent("ada")) == 1
    assert await memory.list_recent("bob") == []
    assert await everyone.users_waiting_to_learn(later()) == []


async def test_a_round_takes_a_bounded_number_of_users_and_the_next_one_goes_on(
    memory: Memory, everyone: Everyone
) -> None:
    users = [f"user-{number:02}" for number in range(MOST_LEARNERS + 3)]
    for user_id in users:
        await say(memory, user_id, "I live in Oslo with my sister.")
    rounds = [await everyone.users_waiting_to_learn(later()) for _ in range(3)]
    assert rounds == [users[:MOST_LEARNERS], users[MOST_LEARNERS:], users[:MOST_LEARNERS]]
