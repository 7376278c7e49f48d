from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import cast
from uuid import uuid4

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from app.bootstrap import Keepsake, open_keepsake
from app.tasks import cancel_and_wait
from app.worker.background import repeat_forever, run_in_background
from app.worker.heartbeat import background_heartbeat_file, why_not_alive
from memory.config import Settings
from memory.errors import DatabaseUnavailable, SchemaOutdated
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.types import NewMemory, Origin
from tests.app.work.test_chores import Rounds
from tests.memory.embedded.conftest import eventually


@pytest.fixture
async def keepsake(
    own_database_url: str, services: ServiceAddresses, settings: Settings, user_id: str
) -> AsyncIterator[Keepsake]:
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": user_id,
            "worker_poll_seconds": 0.05,
        }
    )
    async with open_keepsake(addressed, lambda _: None) as opened:
        yield opened


async def test_it_does_a_workers_jobs_for_all_users(keepsake: Keepsake, database: Database) -> None:
    users = [f"user-{uuid4().hex[:12]}" for _ in range(2)]
    for user_id in users:
        kept = await keepsake.memory.remember(user_id, NewMemory(content="I park on level three"))
        assert kept.item is not None
        await keepsake.memory.forgetting.forget(user_id, [kept.item.id], Origin())
        async with database.as_user(user_id) as connection:
            await connection.execute("UPDATE tombstones SET erase_after = now()")

    async def erased() -> bool:
        left = 0
        for user_id in users:
            async with database.as_user(user_id) as connection:
                left += await connection.fetchval("SELECT count(*) FROM memory_items")
        return left == 0

    sign = background_heartbeat_file(keepsake.settings.keepsake_home)
    assert not sign.exists()
    task = asyncio.create_task(run_in_background(keepsake, None))
    await eventually(erased)
    assert why_not_alive(sign, time.time()) is None
    await cancel_and_wait(task)
    assert not sign.exists()


@dataclass
class Failing:
    """Work that fails, one time after another, as it is told to, and then is done until it is
    cancelled."""

    failures: list[Exception]
    begun: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> None:
        self.begun += 1
        if self.failures:
            raise self.failures.pop(0)
        self.done.set()
        await asyncio.Event().wait()


async def test_what_fails_is_done_again() -> None:
    work = Failing([DatabaseUnavailable(reason="away"), TimeoutError(), ValueError("a mistake")])
    task = asyncio.create_task(repeat_forever(work, 0.001))
    async with asyncio.timeout(30):
        await work.done.wait()
    await cancel_and_wait(task)
    assert work.begun == 4


async def test_what_no_pause_mends_is_raised() -> None:
    work = Failing([SchemaOutdated(reason="this login may not")])
    with pytest.raises(SchemaOutdated):
        await repeat_forever(work, 0.001)
    assert work.begun == 1


class NotTheWorker(Database):
    """A database whose login may act as the application alone."""

    def as_role(self, role: str) -> NotTheWorker:
        return super().as_role("no_such_role" if role == WORKER_ROLE else role)


@pytest.fixture
async def refused(keepsake: Keepsake, database_url: str) -> AsyncIterator[Keepsake]:
    database = await NotTheWorker.open(database_url)
    yield replace(keepsake, database=database)
    await database.close()


async def test_a_login_that_is_no_worker_does_the_one_users_chores(
    refused: Keepsake, user_id: str
) -> None:
    chores = Rounds([])
    own = replace(refused, memory=cast(MemoryService, chores))
    task = asyncio.create_task(run_in_background(own, user_id))

    async def twice() -> bool:
        return len(chores.begun) == 2

    await eventually(twice)
    await cancel_and_wait(task)
    assert chores.begun == [user_id] * 2  # once at the start, once since it is no worker


async def test_for_many_users_it_says_that_a_worker_is_missing(refused: Keepsake) -> None:
    with capture_logs() as logs:
        await run_in_background(refused, None)
    assert [each["event"] for each in logs] == ["no_work_behind"]
