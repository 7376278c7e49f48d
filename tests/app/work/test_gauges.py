from __future__ import annotations

import asyncio

from app.bootstrap import Keepsake
from app.tasks import cancel_and_wait
from app.worker.worker import keep_gauges
from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import JobQueue, VectorBacklog
from tests.app.work.rows import keep_bare
from tests.memory.embedded.conftest import eventually


class FailsAtFirst(JobQueue):
    """In a way that nobody foresaw; counts how often it is asked."""

    asked = 0

    async def backlog(self) -> list[VectorBacklog]:
        self.asked += 1
        if self.asked == 1:
            raise ZeroDivisionError
        return await super().backlog()


def shown(keepsake: Keepsake, name: str, **labels: str) -> float | None:
    return keepsake.counters.registry.get_sample_value(f"keepsake_{name}", labels)


async def test_whatever_goes_wrong_once_they_are_set_the_next_time(keepsake: Keepsake) -> None:
    await keep_bare(keepsake.database, "ada", "I park on level three")
    keepsake.everyone.queue = FailsAtFirst(_worker(keepsake))
    keeping = asyncio.create_task(keep_gauges(keepsake, pause=0.01))

    async def is_set() -> bool:
        return shown(keepsake, "embedding_backlog", noun="items") == 1

    await eventually(is_set)
    await cancel_and_wait(keeping)


async def test_all_memories_are_not_counted_as_often_as_the_queue(keepsake: Keepsake) -> None:
    queue = FailsAtFirst(_worker(keepsake))
    keepsake.everyone.queue = queue
    keeping = asyncio.create_task(keep_gauges(keepsake, pause=0.01, census_pause=3600))

    async def is_counted() -> bool:
        return shown(keepsake, "memory_bank_distribution", bank="General") == 0

    async def looked_on() -> bool:
        return queue.asked > asked + 2

    await eventually(is_counted)
    await keep_bare(keepsake.database, "ada", "I park on level three")
    asked = queue.asked
    await eventually(looked_on)
    assert shown(keepsake, "memory_bank_distribution", bank="General") == 0
    await cancel_and_wait(keeping)


def _worker(keepsake: Keepsake) -> Database:
    return keepsake.database.as_role(WORKER_ROLE)
