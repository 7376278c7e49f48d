from __future__ import annotations

import asyncio
import signal
from itertools import islice
from uuid import uuid4

import pytest
from pydantic import SecretStr

from app.runner import Shutdown
from app.tasks import exponential_backoff
from app.worker.worker import run_worker
from memory.config import Settings
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import NewMemory, Origin
from tests.app.work.rows import hurry
from tests.memory.embedded.conftest import eventually

pytestmark = pytest.mark.usefixtures("own_database_url")


def test_a_database_that_stays_away_is_asked_ever_more_rarely() -> None:
    assert list(islice(exponential_backoff(5), 6)) == [5, 10, 20, 40, 60, 60]


async def forgotten(memory: MemoryService, database: Database, user_id: str) -> None:
    """Two memories that were forgotten, of which one is due to be erased."""
    contents = ("I park on level three", "My sister Maria lives in Oslo")
    items = await memory.remember_all(user_id, [NewMemory(content=each) for each in contents])
    await memory.forgetting.forget(user_id, [item.id for item in items], Origin())
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE tombstones SET erase_after = now() - interval '1 minute' WHERE item_id = $1",
            items[0].id,
        )


async def left(database: Database, user_id: str) -> list[str]:
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT content FROM memory_items")
    return [row["content"] for row in rows]


async def test_it_erases_what_is_due_and_fills_vectors_for_all_users(
    memory: MemoryService,
    database: Database,
    database_url: str,
    services: ServiceAddresses,
    settings: Settings,
) -> None:
    """And nothing that is not due; told to stop, it ends well."""
    users = [f"user-{uuid4().hex[:12]}" for _ in range(3)]
    for user_id in users:
        await forgotten(memory, database, user_id)
        said = NewMessage("user", "hello", uuid4())
        await memory.conversations.add_message(user_id, uuid4(), said)
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(database_url),
            "redis_url": SecretStr(services.redis_url),
            "worker_poll_seconds": 0.05,
        }
    )

    async def done() -> bool:
        items = [await left(database, each) for each in users]
        filled = []
        for user_id in users:
            async with database.as_user(user_id) as connection:
                waiting = "SELECT count(*) FROM messages WHERE needs_embedding"
                filled.append(await connection.fetchval(waiting) == 0)
        return items == [["My sister Maria lives in Oslo"]] * len(users) and all(filled)

    await hurry(database_url)
    leaving = Shutdown()
    working = asyncio.create_task(leaving.watch(run_worker(addressed, leaving)))
    await eventually(done)
    leaving.leave(signal.SIGTERM)
    assert await working == 0
