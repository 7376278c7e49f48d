from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import cast
from uuid import uuid4

import pytest

from app.tasks import cancel_and_wait, maintain_user_forever
from memory.errors import DatabaseUnavailable
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import NewMemory, Origin
from tests.memory.embedded.conftest import eventually


@dataclass
class Rounds:
    """Counts the rounds; each of the first ones fails as it is told to."""

    failures: list[Exception]
    begun: list[str] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def erase_due(self, user_id: str) -> int:
        self.begun.append(user_id)
        if self.failures:
            raise self.failures.pop(0)
        return 0

    async def relearn(self, user_id: str) -> int:
        return 0

    async def learn_waiting(self, user_id: str) -> int:
        self.done.set()
        return 0


@pytest.mark.parametrize(
    "failure",
    [DatabaseUnavailable(reason="away"), TimeoutError(), ValueError("a mistake")],
    ids=lambda failure: type(failure).__name__,
)
async def test_what_fails_is_done_again(failure: Exception) -> None:
    rounds = Rounds([failure, failure])
    task = asyncio.create_task(
        maintain_user_forever(cast(MemoryService, rounds), "ada", pause=0.001)
    )
    async with asyncio.timeout(30):
        await rounds.done.wait()
    await cancel_and_wait(task)
    assert rounds.begun[:3] == ["ada"] * 3
    assert task.cancelled()


async def test_they_erase_what_is_due_and_learn_what_waits(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    kept = await memory.remember(user_id, NewMemory(content="I park on level three"))
    await memory.forgetting.forget(user_id, [kept.item.id], Origin())
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE tombstones SET erase_after = now() - interval '1 minute'")
    new = NewMessage("user", "My sister Maria lives in Oslo.", uuid4(), needs_learning=True)
    await memory.conversations.add_message(user_id, uuid4(), new)

    async def done() -> bool:
        async with database.as_user(user_id) as connection:
            rows = await connection.fetch("SELECT content FROM memory_items")
        return [row["content"] for row in rows] == ["My sister Maria lives in Oslo"]

    task = asyncio.create_task(maintain_user_forever(memory, user_id))
    await eventually(done)
    await cancel_and_wait(task)


async def test_another_users_are_left_alone(memory: MemoryService, user_id: str) -> None:
    other = f"{user_id}-other"
    new = NewMessage("user", "My sister Maria lives in Oslo.", uuid4(), needs_learning=True)
    await memory.conversations.add_message(other, uuid4(), new)
    rounds = asyncio.create_task(maintain_user_forever(memory, user_id, pause=0.001))
    await memory.learn_waiting(user_id)
    await cancel_and_wait(rounds)
    assert await memory.list_recent(other) == []
