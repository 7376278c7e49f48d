from __future__ import annotations

from uuid import UUID

from agent.models.offline import OfflineModel
from memory.cache import Cache
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.types import NewMemory
from tests.agent.turns import assists, take_turn


def counted(counters: MemoryMetrics, name: str, **labels: str) -> float:
    return counters.registry.get_sample_value(f"keepsake_{name}_total", labels) or 0.0


async def test_the_hit_rate_is_of_turns_whose_reply_uses_what_was_recalled(
    memory: MemoryService, cache: Cache, user_id: str, conversation: UUID
) -> None:
    await memory.remember(user_id, NewMemory(content="I live in Oslo"))
    async with assists(memory, cache) as make:
        assistant = make(OfflineModel())
        told = await take_turn(assistant, user_id, conversation, "Where do I live?")
        await take_turn(assistant, user_id, conversation, "Thank you!")
    assert "Oslo" in told.text
    counters = assistant.counters
    assert counted(counters, "turns", privacy="normal") == 2
    assert counted(counters, "turns_recalled") == 1
    assert counted(counters, "turns_cited") == 1


async def test_an_incognito_turn_is_counted_as_one(
    memory: MemoryService, cache: Cache, user_id: str, conversation: UUID
) -> None:
    await memory.remember(user_id, NewMemory(content="I live in Oslo"))
    async with assists(memory, cache) as make:
        assistant = make(OfflineModel())
        assistant.begin(user_id, conversation, "default", "incognito")
        await take_turn(assistant, user_id, conversation, "Where do I live?")
    assert counted(assistant.counters, "turns", privacy="incognito") == 1
    assert counted(assistant.counters, "turns_recalled") == 0
    assert counted(assistant.counters, "user_actions", action="incognito on") == 1
