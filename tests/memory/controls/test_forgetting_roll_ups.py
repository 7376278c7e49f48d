"""Forgetting, replacing and bringing back where memories were put together into a roll-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from memory.ingestion.classification import salience_of
from memory.maintenance.capacity import Capacity
from memory.metrics import MemoryMetrics
from memory.store.conflicts import ConflictStore
from memory.store.database import Database
from memory.store.memories import MemoryFilter, MemoryStore
from memory.types import Origin
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.fakes import nothing_stays

ARCHIVED: dict[str, Any] = {"deleted_at": NOW, "removed_because": "archived"}
LATER = NOW + timedelta(days=2)


@dataclass(frozen=True)
class Rolled:
    """A roll-up of two memories that came from one message each."""

    tea: UUID
    bergen: UUID
    roll_up: UUID
    tea_said: UUID
    bergen_said: UUID


@pytest.fixture
async def rolled(kept: Kept, user_id: str) -> Rolled:
    tea_said, _ = await kept.message(user_id, "I like green tea in the morning")
    bergen_said, _ = await kept.message(user_id, "I live in Bergen near the harbour")
    tea = await kept.item(
        user_id, "I like green tea in the morning", source_message_id=tea_said, **ARCHIVED
    )
    bergen = await kept.item(
        user_id,
        "I live in Bergen near the harbour",
        source_message_id=bergen_said,
        **ARCHIVED,
    )
    both = "I like green tea in the morning. I live in Bergen near the harbour."
    roll_up = await kept.item(
        user_id, both, summary_of=[tea, bergen], source_ids=[str(tea), str(bergen)]
    )
    return Rolled(tea, bergen, roll_up, tea_said, bergen_said)


async def living(controls: Controls, user_id: str) -> set[UUID]:
    page = await controls.entries.browse(user_id, MemoryFilter())
    return {item.id for item in page.items}


async def state(kept: Kept, user_id: str, item_id: UUID) -> str | None:
    query = "SELECT removed_because FROM memory_items WHERE id = $1"
    found: str | None = await kept.value(user_id, query, item_id)
    return found


async def forget(controls: Controls, user_id: str, *ids: UUID, for_good: bool = False) -> set[UUID]:
    forgotten = await controls.forgetting.forget(
        user_id, list(ids), ORIGIN, now=NOW, for_good=for_good
    )
    return set(forgotten.ids)


async def test_a_source_takes_the_roll_up_and_the_other_source_is_in_recall_again(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    assert await forget(controls, user_id, rolled.tea) == {rolled.tea, rolled.roll_up}
    assert await living(controls, user_id) == {rolled.bergen}


async def test_an_undo_puts_the_roll_up_in_its_place_again(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    await forget(controls, user_id, rolled.tea)
    await controls.forgetting.undo(user_id, None, ORIGIN)
    assert await living(controls, user_id) == {rolled.roll_up}
    for source in (rolled.tea, rolled.bergen):
        assert await state(kept, user_id, source) == "archived"


async def test_what_the_other_source_came_from_is_not_redacted(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    await forget(controls, user_id, rolled.tea, for_good=True)
    assert await living(controls, user_id) == {rolled.bergen}
    assert "tea" not in await kept.content(user_id, rolled.tea_said)
    assert await kept.content(user_id, rolled.bergen_said) == "I live in Bergen near the harbour"


async def test_forgotten_for_good_after_it_was_forgotten(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    await forget(controls, user_id, rolled.tea)
    await forget(controls, user_id, rolled.tea, for_good=True)
    assert await kept.content(user_id, rolled.bergen_said) == "I live in Bergen near the harbour"
    assert "tea" not in await kept.content(user_id, rolled.tea_said)


async def test_the_roll_up_takes_its_sources_along(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    gone = await forget(controls, user_id, rolled.roll_up, for_good=True)
    assert gone == {rolled.roll_up, rolled.tea, rolled.bergen}
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items") == 0
    said = await kept.value(user_id, "SELECT string_agg(content, ' ') FROM messages")
    assert "tea" not in said
    assert "Bergen" not in said


async def test_the_roll_up_and_its_sources_come_back_together(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    await forget(controls, user_id, rolled.roll_up)
    back = await controls.forgetting.undo(user_id, [rolled.roll_up], ORIGIN)
    assert set(back) == {rolled.roll_up, rolled.tea, rolled.bergen}
    assert await living(controls, user_id) == {rolled.roll_up}
    assert await state(kept, user_id, rolled.tea) == "archived"


async def test_one_source_of_a_forgotten_roll_up_comes_back_alone(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    """The roll-up would tell of the other one, which stays forgotten."""
    await forget(controls, user_id, rolled.roll_up)
    assert await controls.forgetting.undo(user_id, [rolled.tea], ORIGIN) == [rolled.tea]
    assert await living(controls, user_id) == {rolled.tea}
    assert await state(kept, user_id, rolled.bergen) == "forgotten"
    back = await controls.forgetting.undo(user_id, [rolled.bergen], ORIGIN)
    assert set(back) == {rolled.bergen, rolled.roll_up}
    assert await living(controls, user_id) == {rolled.roll_up}


async def test_a_source_comes_back_alone_where_the_other_was_forgotten_after_it(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    await forget(controls, user_id, rolled.tea)
    await forget(controls, user_id, rolled.bergen)
    assert await controls.forgetting.undo(user_id, [rolled.tea], ORIGIN) == [rolled.tea]
    assert await living(controls, user_id) == {rolled.tea}
    assert await state(kept, user_id, rolled.roll_up) == "forgotten"


async def test_what_was_told_besides_may_be_said_again_at_once(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    """Only what was named is kept from coming back."""
    await forget(controls, user_id, rolled.tea)
    standing = await kept.value(
        user_id, "SELECT array_agg(item_id) FROM tombstones WHERE expires_at > $1", NOW
    )
    assert standing == [rolled.tea]


async def test_a_source_that_was_brought_back_by_hand_stays_in_recall(
    controls: Controls, database: Database, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    back = await Capacity(database, MemoryMetrics()).bring_back(user_id, rolled.tea, Origin())
    assert back.manually_saved
    await forget(controls, user_id, rolled.bergen)
    await controls.forgetting.undo(user_id, None, ORIGIN)
    assert await living(controls, user_id) == {rolled.roll_up, rolled.tea}


async def replaced(
    database: Database, kept: Kept, user_id: str, rolled: Rolled
) -> tuple[UUID, Sequence[UUID]]:
    """A newer memory that takes the place of the roll-up; and what is in recall then."""
    new = await kept.item(user_id, "I live in Oslo now")
    await MemoryStore(database).supersede(user_id, rolled.roll_up, new)
    query = (
        "SELECT array_agg(id) FROM memory_items WHERE deleted_at IS NULL AND superseded_by IS NULL"
    )
    return new, await kept.value(user_id, query)


async def test_of_a_replaced_roll_up_only_what_is_contradicted_is_replaced(
    database: Database, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    new, there = await replaced(database, kept, user_id, rolled)
    assert set(there) == {new, rolled.tea}
    query = "SELECT superseded_by FROM memory_items WHERE id = $1"
    assert await kept.value(user_id, query, rolled.bergen) == new


async def test_a_replaced_roll_up_that_comes_back_tells_of_its_sources_again(
    database: Database, controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    new, _ = await replaced(database, kept, user_id, rolled)
    await ConflictStore(database, salience_of, nothing_stays).undo_supersede(
        user_id, rolled.roll_up, origin=ORIGIN
    )
    assert await living(controls, user_id) == {rolled.roll_up, new}
    assert await state(kept, user_id, rolled.tea) == "archived"


async def test_what_replaced_it_is_forgotten_without_what_was_told_besides(
    database: Database, controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    new, _ = await replaced(database, kept, user_id, rolled)
    gone = await forget(controls, user_id, new, for_good=True)
    assert gone == {new, rolled.bergen, rolled.roll_up}
    assert await living(controls, user_id) == {rolled.tea}
    assert await kept.content(user_id, rolled.tea_said) == "I like green tea in the morning"


async def test_a_roll_up_that_grew_goes_with_the_smaller_one_that_it_was(
    controls: Controls, kept: Kept, user_id: str, rolled: Rolled
) -> None:
    nurse = await kept.item(user_id, "I work as a nurse", **ARCHIVED)
    grown = await kept.item(
        user_id,
        "I like green tea in the morning. I live in Bergen near the harbour. I work as a nurse.",
        summary_of=[rolled.tea, rolled.bergen, nurse],
    )
    small = rolled.roll_up
    await kept.execute(
        user_id,
        "UPDATE memory_items SET deleted_at = $1, removed_because = 'archived' WHERE id = $2",
        NOW,
        small,
    )
    assert await forget(controls, user_id, rolled.tea) == {rolled.tea, small, grown}
    assert await living(controls, user_id) == {rolled.bergen, nurse}
    await controls.forgetting.undo(user_id, None, ORIGIN)
    assert await living(controls, user_id) == {grown}
    gone = await forget(controls, user_id, grown, for_good=True)
    assert gone == {grown, small, rolled.tea, rolled.bergen, nurse}
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items") == 0


@pytest.mark.parametrize("why", ["cleaned", "retired", "archived", "trimmed"])
async def test_what_was_out_of_recall_comes_back_as_it_was(
    controls: Controls, kept: Kept, user_id: str, why: str
) -> None:
    """Undoing a cleaning finds it, and it goes when its time comes."""
    item = await kept.item(user_id, "ok then", deleted_at=NOW, removed_because=why)
    await forget(controls, user_id, item)
    assert await state(kept, user_id, item) == "forgotten"
    assert await controls.forgetting.undo(user_id, [item], Origin()) == [item]
    assert await state(kept, user_id, item) == why
