from __future__ import annotations

import pytest

from app.telemetry.metrics import set_banks
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.store.statistics import BankStatistics
from memory.types import NewMemory


def held(counters: MemoryMetrics, bank: str) -> float | None:
    labels = {"bank": bank}
    return counters.registry.get_sample_value("keepsake_memory_bank_distribution", labels)


def test_every_bank_of_the_settings_is_shown_and_no_other_by_its_name() -> None:
    counters = MemoryMetrics()
    set_banks(counters, {"Work": 3, "My divorce": 2, "Old": 1}, ("Work", "Health"))
    assert held(counters, "Work") == 3
    assert held(counters, "Health") == 0
    assert held(counters, "other") == 3
    assert held(counters, "My divorce") is None


@pytest.mark.usefixtures("own_database_url")
async def test_the_worker_counts_the_living_memories_of_all(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    for owner in (user_id, f"{user_id}-2"):
        await memory.remember(owner, NewMemory(content="I work at Acme", bank="Work"))
    await memory.remember(user_id, NewMemory(content="I love kayaks", bank="Interests"))
    assert await BankStatistics(database.as_role(WORKER_ROLE)).banks() == {
        "Interests": 1,
        "Work": 2,
    }
