"""What users do with their memory is counted, whichever door they do it at."""

from __future__ import annotations

from uuid import UUID

import pytest

from agent.models.offline import OfflineModel
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import NewMemory, Origin
from tests.agent.turns import assists, take_turn

ORIGIN = Origin()


@pytest.fixture
def counters() -> MemoryMetrics:
    return MemoryMetrics()


@pytest.fixture
async def memory(
    *,
    database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    counters: MemoryMetrics,
) -> MemoryService:
    return make_memory(database, embedder, cache, counter, settings, counters=counters)


def done(counters: MemoryMetrics) -> dict[str, float]:
    [family] = counters.user_actions.collect()
    return {
        each.labels["action"]: each.value
        for each in family.samples
        if each.name.endswith("_total") and each.value
    }


async def test_pins_edits_and_what_is_forgotten(
    memory: MemoryService, counters: MemoryMetrics, user_id: str
) -> None:
    item = (await memory.remember(user_id, NewMemory(content="I live in Oslo"))).item
    await memory.entries.pin(user_id, item.id, ORIGIN)
    await memory.entries.unpin(user_id, item.id, ORIGIN)
    await memory.forgetting.forget(user_id, [item.id], ORIGIN)
    await memory.forgetting.undo(user_id, None, ORIGIN)
    assert done(counters) == {"pin": 1, "unpin": 1, "forget": 1, "restore": 1}


async def test_memory_switched_off_and_on(
    memory: MemoryService, counters: MemoryMetrics, user_id: str
) -> None:
    await memory.modes.change(user_id, "default", ORIGIN, memory_mode="off")
    await memory.modes.change(user_id, "default", ORIGIN, memory_mode="off")
    await memory.modes.change(user_id, "default", ORIGIN, redact_messages=False)
    await memory.modes.change(user_id, "default", ORIGIN, memory_mode="full")
    assert done(counters) == {"memory off": 1, "memory on": 1}


async def test_incognito_in_plain_words(
    memory: MemoryService, counters: MemoryMetrics, cache: Cache, user_id: str, conversation: UUID
) -> None:
    async with assists(memory, cache) as make:
        assistant = make(OfflineModel())
        for said in ("start incognito for this chat", "end incognito"):
            await take_turn(assistant, user_id, conversation, said)
    assert done(counters) == {"incognito on": 1, "incognito off": 1}
