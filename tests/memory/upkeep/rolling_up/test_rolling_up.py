from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from memory.maintenance.clusters import ROLL_UP_TAG, ClusterRules
from memory.maintenance.consolidation import Consolidation, ConsolidationRules
from memory.maintenance.summaries import Summariser, SummaryWriter
from memory.metrics import MemoryMetrics
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.lifecycle import RollUpStore
from memory.store.spaces import SpaceSettingsStore
from memory.types import MemoryMode
from tests.memory.controls.conftest import Kept

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
OLD = NOW - timedelta(days=40)
TEAS = ["User drinks green tea after lunch"]
TEAS += [f"User also drinks {kind} tea after lunch" for kind in ("mint", "oolong", "rooibos")]


class Says:
    """A summariser that says one thing."""

    def __init__(self, *said: str | Exception) -> None:
        self._said = list(said)
        self.asked: list[Sequence[str]] = []

    async def summarise(self, memories: Sequence[str]) -> str:
        self.asked.append(memories)
        said = self._said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def rolling(
    database: Database,
    *,
    summariser: Summariser | None = None,
    counters: MemoryMetrics | None = None,
    most: int = 50,
    found: float = 0.0,
) -> Consolidation:
    return Consolidation(
        RollUpStore(database),
        SummaryWriter(summariser, timeout=30),
        counters or MemoryMetrics(),
        ConsolidationRules(grouping=ClusterRules(similarity=0.6), most=most, found=found),
    )


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


async def teas(kept: Kept, user_id: str, **fields: Any) -> list[UUID]:
    """One an hour."""
    hours = [{"created_at": OLD + timedelta(hours=n)} for n in range(len(TEAS))]
    values = [{"tags": ["tea"]} | hour | fields for hour in hours]
    return [await kept.item(user_id, text, **each) for text, each in zip(TEAS, values, strict=True)]


async def rows(kept: Kept, user_id: str) -> dict[UUID, Any]:
    async with kept.database.as_user(user_id) as connection:
        found = await connection.fetch("SELECT * FROM memory_items")
    return {row["id"]: row for row in found}


async def test_old_memories_become_one_and_are_archived(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id)
    counters = MemoryMetrics()
    [made] = await rolling(database, counters=counters).run(user_id, NOW)
    assert made.content == " ".join(f"{content}." for content in TEAS)
    assert made.tags == (ROLL_UP_TAG, "tea")
    stored = await rows(kept, user_id)
    assert set(stored[made.id]["summary_of"]) == set(ids)
    assert set(stored[made.id]["source_ids"]) == {str(each) for each in ids}
    assert stored[made.id]["needs_embedding"] is False
    for item_id in ids:
        assert (stored[item_id]["deleted_at"], stored[item_id]["removed_because"]) == (
            NOW,
            "archived",
        )
    told = [(each.action, each.actor) for each in await AuditStore(database).read(user_id)]
    assert told == [("archived", "upkeep")] * 4 + [("rolled_up", "upkeep")]
    assert counters.registry.get_sample_value("keepsake_memories_summarized_total") == 1
    assert await rolling(database).run(user_id, NOW + timedelta(days=40)) == []


async def test_a_plan_changes_nothing(database: Database, kept: Kept, user_id: str) -> None:
    await teas(kept, user_id)
    before = await rows(kept, user_id)
    [draft] = await rolling(database).plan(user_id, NOW)
    assert len(draft.sources) == 4
    assert await rows(kept, user_id) == before


async def test_a_roll_up_is_never_better_than_its_weakest_source(
    database: Database, kept: Kept, user_id: str
) -> None:
    for number, content in enumerate(TEAS, start=1):
        await kept.item(
            user_id,
            content,
            tags=["tea"],
            importance=number / 10,
            metadata_confidence=number / 5,
            created_at=OLD + timedelta(days=number),
            role="assistant",
            bank="Health",
        )
    [made] = await rolling(database).run(user_id, NOW)
    stored = (await rows(kept, user_id))[made.id]
    assert (stored["importance"], stored["metadata_confidence"]) == (0.1, 0.2)
    assert (stored["role"], stored["bank"]) == ("assistant", "Health")
    assert stored["created_at"] == OLD + timedelta(days=4)
    assert (stored["pinned"], stored["manually_saved"]) == (False, False)


@pytest.mark.parametrize(
    "spared",
    [
        {"pinned": True},
        {"manually_saved": True},
        {"created_at": NOW - timedelta(days=6)},
        {"expires_at": NOW + timedelta(days=6)},
        {"deleted_at": NOW, "removed_because": "forgotten"},
        {"embedding": None, "needs_embedding": True},
        {"summary_of": [UUID(int=1)]},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_what_is_left_alone(
    database: Database, kept: Kept, user_id: str, spared: dict[str, Any]
) -> None:
    ids = await teas(kept, user_id, **spared)
    before = await rows(kept, user_id)
    assert set(before) == set(ids)
    assert await rolling(database).run(user_id, NOW) == []
    assert await rows(kept, user_id) == before


async def test_what_was_recalled_lately_is_left_alone(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id)
    for item_id in ids[:2]:
        await kept.execute(
            user_id,
            "INSERT INTO memory_usage (user_id, item_id, last_accessed_at) VALUES ($1, $2, $3)",
            user_id,
            item_id,
            NOW - timedelta(days=1),
        )
    assert await rolling(database).run(user_id, NOW) == []


async def test_what_the_user_is_asked_about_is_left_alone(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id)
    for older, newer in (ids[:2], ids[2:]):
        await kept.execute(
            user_id,
            "INSERT INTO doubts (user_id, older_id, newer_id) VALUES ($1, $2, $3)",
            user_id,
            older,
            newer,
        )
    assert await rolling(database).run(user_id, NOW) == []


@pytest.mark.parametrize("mode", ["read_only", "off"])
async def test_a_space_that_takes_no_memories_gets_no_roll_ups(
    database: Database, kept: Kept, user_id: str, mode: MemoryMode
) -> None:
    await teas(kept, user_id)
    await kept.execute(
        user_id,
        "INSERT INTO memory_settings (user_id, space, memory_mode) VALUES ($1, 'default', $2)",
        user_id,
        mode,
    )
    assert (await SpaceSettingsStore(database).read(user_id, "default")).memory_mode == mode
    assert await rolling(database).run(user_id, NOW) == []


async def test_nobody_elses_memories_come_in(database: Database, kept: Kept, user_id: str) -> None:
    other = f"{user_id}-other"
    for number, content in enumerate(TEAS):
        owner = other if number % 2 else user_id
        await kept.item(owner, content, tags=["tea"], created_at=OLD)
    assert await rolling(database).run(user_id, NOW) == []
    assert await rolling(database).run(other, NOW) == []


async def test_a_summary_of_the_model_is_taken_where_it_says_the_same(
    database: Database, kept: Kept, user_id: str
) -> None:
    await teas(kept, user_id)
    said = "User drinks green, mint, oolong and rooibos tea after lunch."
    summariser = Says(said)
    [made] = await rolling(database, summariser=summariser).run(user_id, NOW)
    assert made.content == said
    assert summariser.asked == [TEAS]


@pytest.mark.parametrize(
    "said",
    ["User drinks 4 kinds of tea in Oslo after lunch.", "", ConnectionError("away")],
    ids=["invented", "nothing", "error"],
)
async def test_the_sentences_stand_where_the_model_fails(
    database: Database, kept: Kept, user_id: str, said: str | Exception
) -> None:
    await teas(kept, user_id)
    [made] = await rolling(database, summariser=Says(said)).run(user_id, NOW)
    assert made.content.startswith(TEAS[0])


async def test_its_vector_is_the_centre_of_its_sources(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id, embedding_model="words")
    [made] = await rolling(database).run(user_id, NOW)
    stored = await rows(kept, user_id)
    mean = np.mean([stored[each]["embedding"].to_numpy() for each in ids], axis=0)
    centre = stored[made.id]["embedding"].to_numpy()
    assert centre == pytest.approx(mean / np.linalg.norm(mean), abs=1e-3)
    assert stored[made.id]["embedding_model"] == "words"


async def test_vectors_of_two_models_have_no_centre(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id, embedding_model="words")
    other = "UPDATE memory_items SET embedding_model = 'other' WHERE id = $1"
    for item_id in ids[:2]:
        await kept.execute(user_id, other, item_id)
    assert await rolling(database).run(user_id, NOW) == []


class Succeeded:
    """While the model writes, another embedding model's vectors take the place of the old ones."""

    def __init__(self, kept: Kept, user_id: str) -> None:
        self._kept, self._user_id = kept, user_id

    async def summarise(self, memories: Sequence[str]) -> str:
        await self._kept.execute(self._user_id, "UPDATE memory_items SET embedding_model = 'next'")
        return ""


async def test_a_vector_never_stands_beside_those_of_a_later_model(
    database: Database, kept: Kept, user_id: str
) -> None:
    await teas(kept, user_id, embedding_model="words")
    succeeding = Succeeded(kept, user_id)
    assert await rolling(database, summariser=succeeding).run(user_id, NOW) == []
    [made] = await rolling(database).run(user_id, NOW)
    assert (await rows(kept, user_id))[made.id]["embedding_model"] == "next"


class ChangesMeanwhile:
    """While the model writes, the user pins one of the memories."""

    def __init__(self, kept: Kept, user_id: str, item_id: UUID) -> None:
        self._kept, self._user_id, self._item_id = kept, user_id, item_id

    async def summarise(self, memories: Sequence[str]) -> str:
        pin = "UPDATE memory_items SET pinned = true WHERE id = $1"
        await self._kept.execute(self._user_id, pin, self._item_id)
        return ""


async def test_what_changed_meanwhile_is_left_for_another_night(
    database: Database, kept: Kept, user_id: str
) -> None:
    ids = await teas(kept, user_id)
    changing = ChangesMeanwhile(kept, user_id, ids[0])
    assert await rolling(database, summariser=changing).run(user_id, NOW) == []
    assert all(row["deleted_at"] is None for row in (await rows(kept, user_id)).values())
    [made] = await rolling(database).run(user_id, NOW)
    assert TEAS[0] not in made.content


async def test_a_contradicted_memory_is_replaced_by_the_newer_one(
    database: Database, kept: Kept, user_id: str
) -> None:
    said = ["I live in Oslo", "I live in Bergen now"]
    said += ["My flat in Bergen now has a live oak", "My cat likes the flat I live in"]
    ids = [
        await kept.item(user_id, text, tags=["home"], created_at=OLD + timedelta(days=n))
        for n, text in enumerate(said)
    ]
    [made] = await rolling(database).run(user_id, NOW)
    assert "Oslo" not in made.content
    stored = await rows(kept, user_id)
    assert (stored[ids[0]]["superseded_by"], stored[ids[0]]["valid_to"]) == (ids[1], NOW)
    assert stored[ids[0]]["deleted_at"] is None
    assert stored[ids[1]]["removed_because"] == "archived"


async def test_a_night_makes_so_many_and_no_more(
    database: Database, kept: Kept, user_id: str
) -> None:
    await teas(kept, user_id)
    for water in ("river", "sea", "lake"):
        text = f"User has a photo of the {water}"
        await kept.item(user_id, text, tags=["water"], created_at=OLD)
    assert len(await rolling(database, most=1).run(user_id, NOW)) == 1
    assert len(await rolling(database, most=1).run(user_id, NOW)) == 1


async def test_what_would_not_be_found_by_its_roll_up_stays_by_itself(
    database: Database, kept: Kept, user_id: str
) -> None:
    await teas(kept, user_id)
    assert await rolling(database, found=0.99).run(user_id, NOW) == []
    assert len(await rolling(database, found=0.3).run(user_id, NOW)) == 1


async def test_what_something_else_is_nearer_to_stays_by_itself(
    database: Database, kept: Kept, user_id: str
) -> None:
    """A question about the mint tea would find the newer memory before the roll-up."""
    ids = await teas(kept, user_id)
    again = "After lunch I also drink mint tea"
    near = await kept.item(user_id, again, created_at=NOW - timedelta(days=1))
    [made] = await rolling(database).run(user_id, NOW)
    assert TEAS[1] not in made.content
    stored = await rows(kept, user_id)
    assert [each for each in ids if stored[each]["deleted_at"] is None] == [ids[1]]
    assert stored[near]["deleted_at"] is None


async def test_what_is_nearer_in_another_space_is_no_hindrance(
    database: Database, kept: Kept, user_id: str
) -> None:
    await teas(kept, user_id)
    await kept.item(user_id, TEAS[1], space="work", created_at=NOW - timedelta(days=1))
    [made] = await rolling(database).run(user_id, NOW)
    assert TEAS[1] in made.content
