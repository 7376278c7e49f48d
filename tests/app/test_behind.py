from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast
from uuid import uuid4

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from app.behind import work_behind
from app.chores import stop
from app.wiring import Keepsake, open_keepsake
from memory.database import Database
from memory.embedded.services import Addresses
from memory.errors import DatabaseUnavailable, SchemaOutdated
from memory.models import NewItem, Origin
from memory.service import Memory
from memory.settings import Settings
from memory.upkeep.everyone import Everyone
from tests.app.test_chores import Rounds
from tests.memory.embedded.conftest import eventually


@pytest.fixture
async def keepsake(
    database_url: str, services: Addresses, settings: Settings, user_id: str
) -> AsyncIterator[Keepsake]:
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": user_id,
            "worker_poll_seconds": 0.05,
        }
    )
    async with open_keepsake(addressed, lambda _: None) as opened:
        yield opened


async def test_it_does_a_workers_rounds_for_all_users(
    keepsake: Keepsake, database: Database
) -> None:
    users = [f"user-{uuid4().hex[:12]}" for _ in range(2)]
    for user_id in users:
        kept = await keepsake.memory.remember(user_id, NewItem(content="I park on level three"))
        await keepsake.memory.forgetting.forget(user_id, [kept.item.id], Origin())
        async with database.as_user(user_id) as connection:
            await connection.execute("UPDATE tombstones SET erase_after = now()")

    async def erased() -> bool:
        left = 0
        for user_id in users:
            async with database.as_user(user_id) as connection:
                left += await connection.fetchval("SELECT count(*) FROM memory_items")
        return left == 0

    task = asyncio.create_task(work_behind(keepsake))
    await eventually(erased)
    await stop(task)


@dataclass
class Failing:
    """An `Everyone` whose rounds fail, one after another, as they are told to."""

    failures: list[Exception]
    rounds: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def embed_waiting(self) -> int:
        self.rounds += 1
        if self.failures:
            raise self.failures.pop(0)
        return 0

    async def sweep_requests(self, _now: datetime) -> int:
        return 0

    async def users_with_due(self, _now: datetime) -> list[str]:
        return []

    async def users_waiting_to_learn(self, _now: datetime) -> list[str]:
        self.done.set()
        return []


def failing(
    keepsake: Keepsake, *failures: Exception, **changed: object
) -> tuple[Keepsake, Failing]:
    everyone = Failing(list(failures))
    settings = keepsake.settings.model_copy(update={"worker_poll_seconds": 0.001, **changed})
    return replace(keepsake, everyone=cast(Everyone, everyone), settings=settings), everyone


async def test_what_fails_is_done_again(keepsake: Keepsake) -> None:
    own, everyone = failing(
        keepsake, DatabaseUnavailable(reason="away"), TimeoutError(), ValueError("a mistake")
    )
    task = asyncio.create_task(work_behind(own))
    async with asyncio.timeout(10):
        await everyone.done.wait()
    await stop(task)
    assert everyone.rounds >= 4


async def test_a_login_that_is_no_worker_does_the_one_users_chores(
    keepsake: Keepsake, user_id: str
) -> None:
    own, everyone = failing(keepsake, SchemaOutdated(reason="this login may not"))
    chores = Rounds([])
    task = asyncio.create_task(work_behind(replace(own, memory=cast(Memory, chores))))
    async with asyncio.timeout(10):
        await chores.done.wait()
    await stop(task)
    assert chores.begun == [user_id]
    assert everyone.rounds == 1


async def test_for_many_users_it_says_that_a_worker_is_missing(keepsake: Keepsake) -> None:
    own, _ = failing(keepsake, SchemaOutdated(reason="this login may not"), auth_mode="token")
    with capture_logs() as logs:
        await work_behind(own)
    assert [each["event"] for each in logs] == ["no_work_behind"]
