"""Specification 000: “configure data retention (e.g., hard-delete non-pinned items older than 180
days after summarization)”, and the stretch goal of roll-ups that preserve provenance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory.config import Settings
from memory.ingestion.metadata import extract_metadata
from memory.service import MemoryService
from memory.types import NewMemory, StoredMemory
from tests.acceptance.conftest import Parts

TODAY = datetime.now(UTC)
FACTS = (
    "We keep my canoe in the shed",
    "We keep the paddle of my canoe in the shed",
    "We keep the cover of my canoe in the shed",
    "We keep the rope of my canoe in the shed",
)


@pytest.fixture
def memory(parts: Parts) -> MemoryService:
    return parts.memory()


async def rolled_up(memory: MemoryService, user_id: str) -> tuple[list[StoredMemory], StoredMemory]:
    """The single memories and the one they became."""
    items = [
        NewMemory(
            content=fact,
            tags=extract_metadata(fact).tags,
            created_at=TODAY - timedelta(days=30 - number),
        )
        for number, fact in enumerate(FACTS)
    ]
    kept = await memory.remember_all(user_id, items)
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    return kept, made


async def stored(parts: Parts, user_id: str) -> dict[UUID, list[str]]:
    """The sources that each memory names, by its id."""
    async with parts.database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT id, source_ids FROM memory_items")
    return {row["id"]: row["source_ids"] for row in rows}


def test_the_days_are_the_specifications() -> None:
    assert Settings.model_fields["retention_days"].default == 180


async def test_a_roll_up_links_back_via_source_ids(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    kept, made = await rolled_up(memory, user_id)
    assert set((await stored(parts, user_id))[made.id]) == {str(item.id) for item in kept}


async def test_originals_are_removed_for_good_180_days_after_their_summary(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    kept, made = await rolled_up(memory, user_id)
    retention = memory.lifecycle.retention
    assert (await retention.run(user_id, TODAY + timedelta(days=179))).removed == []
    gone = await retention.run(user_id, TODAY + timedelta(days=181))
    assert {each.id for each in gone.removed} == {item.id for item in kept}
    left = await stored(parts, user_id)
    assert set(left) == {made.id}
    assert len(left[made.id]) == len(kept)


async def test_a_pinned_item_is_never_removed(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    kept, made = await rolled_up(memory, user_id)
    async with parts.database.as_user(user_id) as connection:
        pin = "UPDATE memory_items SET pinned = true WHERE id = $1"
        await connection.execute(pin, kept[0].id)
    await memory.lifecycle.retention.run(user_id, TODAY + timedelta(days=999))
    assert set(await stored(parts, user_id)) == {kept[0].id, made.id}


async def test_what_is_in_recall_stays_without_a_rule(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    old = NewMemory(content="I live in Oslo", created_at=TODAY - timedelta(days=2000))
    [item] = await memory.remember_all(user_id, [old])
    await memory.lifecycle.retention.run(user_id, TODAY)
    assert set(await stored(parts, user_id)) == {item.id}


async def test_a_rule_of_type_and_bank_ends_what_is_in_recall(parts: Parts, user_id: str) -> None:
    memory = parts.memory(retention_rules="note:90,Work/fact:365")
    born = TODAY - timedelta(days=100)
    note = NewMemory(content="The plumber came", type="note", created_at=born)
    fact = NewMemory(content="We deploy on Fridays", bank="Work", created_at=born)
    items = await memory.remember_all(user_id, [note, fact])
    shown = await memory.lifecycle.retention.due(user_id, TODAY)
    assert [(item.id, days) for item, days in shown.retired] == [(items[0].id, 90)]
    await memory.lifecycle.retention.run(user_id, TODAY)
    assert [item.id for item in await memory.list_recent(user_id)] == [items[1].id]
