"""Specification 004, tier 1.5: the lifecycle of the indexes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.worker.jobs import JOBS
from memory.config import Settings
from memory.service import MemoryService
from memory.types import MemoryQueryRequest, NewMemory
from tests.acceptance.conftest import Parts

TODAY = datetime.now(UTC)


@pytest.fixture
def memory(parts: Parts) -> MemoryService:
    return parts.memory()


def schedule(settings: Settings, name: str) -> str | None:
    [job] = [job for job in JOBS if job.name == name]
    return job.schedule(settings)


def test_vectors_are_pruned_daily_at_three_and_keywords_rebuilt_on_sundays_at_four(
    settings: Settings,
) -> None:
    assert schedule(settings, "index_prune") == "0 3 * * *"
    assert schedule(settings, "index_rebuild") == "0 4 * * 0"
    changed = settings.model_copy(update={"prune_schedule": "5 1 * * *"})
    assert schedule(changed, "index_prune") == "5 1 * * *"


def test_the_ages_are_the_specifications() -> None:
    fields = Settings.model_fields
    assert fields["vector_age_days"].default == 30
    assert fields["replaced_vector_age_days"].default == 365
    assert fields["keyword_age_days"].default == 30


async def out_of_recall(parts: Parts, user_id: str, days: int) -> None:
    async with parts.database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE memory_items SET deleted_at = $1, removed_because = 'archived'",
            TODAY - timedelta(days=days),
        )


@pytest.mark.parametrize(("days", "pruned"), [(29, 0), (31, 1)])
async def test_old_vectors_are_removed_per_retention_config(
    memory: MemoryService, parts: Parts, user_id: str, days: int, pruned: int
) -> None:
    await memory.remember_all(user_id, [NewMemory(content="I live in Oslo")])
    await out_of_recall(parts, user_id, days)
    assert await memory.lifecycle.indexes.prune_vectors(user_id, TODAY) == pruned
    async with parts.database.as_user(user_id) as connection:
        left = await connection.fetchval("SELECT count(embedding) FROM memory_items")
    assert left == 1 - pruned


async def recalled(memory: MemoryService, user_id: str, words: str) -> list[str]:
    request = MemoryQueryRequest(user_id=user_id, query=words, min_score=0.0)
    return [item.content for item in (await memory.recall(request)).items]


async def test_the_rebuild_with_a_level_excludes_fine_grained_memories(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    """They are still found by what they mean."""
    old, young = "Serial ZX81 belongs to the lathe", "Serial ZX82 belongs to the loom"
    await memory.remember_all(
        user_id,
        [
            NewMemory(content=old, created_at=TODAY - timedelta(days=31)),
            NewMemory(content=young, created_at=TODAY - timedelta(days=29)),
        ],
    )
    assert await memory.lifecycle.indexes.level_keywords(user_id, TODAY, "roll-up") == 1
    async with parts.database.as_user(user_id) as connection:
        found = await connection.fetch(
            "SELECT id FROM search_memory_items('serial', 'default', NULL, NULL, NULL, now(), 10)"
        )
    assert len(found) == 1
    assert old in await recalled(memory, user_id, old)
    assert await memory.lifecycle.indexes.level_keywords(user_id, TODAY, "memory") == 1


async def test_nothing_that_is_in_recall_loses_its_vector(
    memory: MemoryService, user_id: str
) -> None:
    born = TODAY - timedelta(days=3000)
    await memory.remember_all(user_id, [NewMemory(content="I live in Oslo", created_at=born)])
    assert await memory.lifecycle.indexes.prune_vectors(user_id, TODAY) == 0
    assert await recalled(memory, user_id, "Where do I live?") == ["I live in Oslo"]
