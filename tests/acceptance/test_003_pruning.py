"""Specification 003, phase 2: the limit, the strategies beside 000's, and the batch."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory.models import KeptItem, NewItem
from memory.service import Memory
from memory.settings import Settings
from tests.acceptance.chat import knows
from tests.acceptance.conftest import Parts

WHO = ("Ada", "Kim", "Noor", "Jonas", "Ines", "Tomek")
NAMES = ("chess", "kayaks", "geese", "opera", "rye bread", "figs")
TODAY = datetime.now(UTC)


async def keep(memory: Memory, user_id: str, number: int, **fields: Any) -> KeptItem:
    """The memory of a number; the higher, the younger and the less important."""
    item = NewItem(
        content=f"{WHO[number]} talks of {NAMES[number]}",
        created_at=TODAY - timedelta(days=9 - number),
        importance=0.9 - 0.1 * number,
        **fields,
    )
    return (await memory.remember(user_id, item)).item


async def used(parts: Parts, user_id: str, item: KeptItem, days: float, relevance: float) -> None:
    """As a recall leaves it that was so many days ago."""
    scores: dict[str, object] = {"relevance": relevance, "recency": 0.5, "importance": 0.5}
    scores |= {"total": relevance + 1, "computed_at": TODAY.isoformat()}
    async with parts.database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_usage (user_id, item_id, access_count, last_accessed_at,"
            " last_scores) VALUES ($1, $2, 1, $3, $4)",
            user_id,
            item.id,
            TODAY - timedelta(days=days),
            json.dumps(scores),
        )


def capped(parts: Parts, strategy: str, **changed: object) -> Memory:
    settings = {"memory_cap": 5, "prune_batch_size": 1, "prune_strategy": strategy} | changed
    return replace(parts, settings=parts.settings.model_copy(update=settings)).memory()


def test_the_settings_are_the_specifications() -> None:
    assert Settings.model_fields["memory_cap"].default == 200
    assert Settings.model_fields["prune_batch_size"].default == 10


async def test_fifo_lets_the_oldest_go_however_important(parts: Parts, user_id: str) -> None:
    """By when it was learned, not by the order in which it came in."""
    memory = capped(parts, "fifo")
    kept = {number: await keep(memory, user_id, number) for number in (3, 0, 5, 1, 4, 2)}
    known = await knows(memory, user_id)
    assert [number for number, item in kept.items() if item.content not in known] == [0]


async def test_least_relevant_lets_the_lowest_relevance_go(parts: Parts, user_id: str) -> None:
    """Relevance is that of the last recall; a new memory is not the first to go."""
    memory = capped(parts, "least_relevant")
    kept = [await keep(memory, user_id, number) for number in range(5)]
    for item, relevance in zip(kept, (0.9, 0.8, 0.1, 0.7, 0.6), strict=True):
        await used(parts, user_id, item, days=1, relevance=relevance)
    await keep(memory, user_id, 5)
    assert kept[2].content not in await knows(memory, user_id)
    assert len(await knows(memory, user_id)) == 5


async def test_oldest_accessed_lets_go_what_was_not_recalled_for_longest(
    parts: Parts, user_id: str
) -> None:
    memory = capped(parts, "oldest_accessed")
    kept = [await keep(memory, user_id, number) for number in range(5)]
    for item, days in zip(kept, (1, 2, 3, 40, 4), strict=True):
        await used(parts, user_id, item, days=days, relevance=0.5)
    await keep(memory, user_id, 5)
    assert kept[3].content not in await knows(memory, user_id)
    assert len(await knows(memory, user_id)) == 5


@pytest.mark.parametrize("strategy", ["fifo", "least_relevant", "oldest_accessed", "lowest_score"])
@pytest.mark.parametrize("flag", ["pinned", "manually_saved"])
async def test_no_strategy_takes_a_protected_memory(
    parts: Parts, user_id: str, strategy: str, flag: str
) -> None:
    memory = capped(parts, strategy)
    kept = [await keep(memory, user_id, number, **{flag: number < 5}) for number in range(6)]
    assert await knows(memory, user_id) == sorted(item.content for item in kept[:5])


async def test_trimming_is_done_in_batches(parts: Parts, user_id: str) -> None:
    """One write above the limit makes room for a batch, so that the next ones need not trim."""
    memory = capped(parts, "fifo", memory_cap=40, prune_batch_size=4)
    items = [NewItem(content=f"Fact number {n} of forty", created_at=TODAY) for n in range(40)]
    await memory.remember_all(user_id, items)
    assert len(await knows(memory, user_id)) == 40
    await memory.remember(user_id, NewItem(content="I own a red kayak"))
    assert len(await knows(memory, user_id)) == 37


async def test_what_was_trimmed_is_not_forgotten(parts: Parts, user_id: str) -> None:
    """It left no tombstone: said again, it is known again."""
    memory = capped(parts, "fifo")
    kept = [await keep(memory, user_id, number) for number in range(6)]
    assert kept[0].content not in await knows(memory, user_id)
    await memory.remember(user_id, NewItem(content=kept[0].content, created_at=TODAY))
    assert kept[0].content in await knows(memory, user_id)
