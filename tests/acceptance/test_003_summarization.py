"""Specification 003, phase 3: old memories that belong together become one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory.config import Settings
from memory.ingestion.metadata import extract_metadata
from memory.service import MemoryService
from memory.store.memories import MemoryFilter
from memory.types import MemoryQueryRequest, NewMemory, Origin, StoredMemory
from tests.acceptance.conftest import Parts

TODAY = datetime.now(UTC)
FACTS = {
    "How much did we pay for my canoe?": "We paid 340 euros for my canoe",
    "Who sold us my canoe?": "We bought my canoe from Mr Holm",
    "Where do we keep my canoe?": "We keep my canoe in the shed",
    "What colour is my canoe?": "The colour of my canoe is green",
    "How heavy is my canoe?": "The weight of my canoe is 23 kilograms",
}


@pytest.fixture
def memory(parts: Parts) -> MemoryService:
    return parts.memory()


async def learn(
    memory: MemoryService, user_id: str, *contents: str, **fields: Any
) -> list[StoredMemory]:
    """As it was learned a month ago, one an hour; neither asked for nor pinned."""
    items = [
        NewMemory.model_validate(
            {
                "content": content,
                "tags": extract_metadata(content).tags,
                "created_at": TODAY - timedelta(days=30, hours=-number),
            }
            | fields
        )
        for number, content in enumerate(contents)
    ]
    return await memory.remember_all(user_id, items)


async def recalled(memory: MemoryService, user_id: str, question: str) -> list[str]:
    request = MemoryQueryRequest(user_id=user_id, query=question, limit=5)
    return [item.content for item in (await memory.recall(request)).items]


async def living(memory: MemoryService, user_id: str) -> list[StoredMemory]:
    return list((await memory.entries.browse(user_id, MemoryFilter())).items)


def test_the_settings_are_the_specifications() -> None:
    wanted = {
        "roll_up": True,
        "roll_up_min_age_days": 7,
        "roll_up_min_size": 3,
        "roll_up_max_size": 8,
        "roll_up_strategy": "hybrid",
        "roll_up_similarity": 0.7,
    }
    assert {name: Settings.model_fields[name].default for name in wanted} == wanted


async def test_what_is_summarized_is_found_by_its_summary(
    memory: MemoryService, user_id: str
) -> None:
    await learn(memory, user_id, *FACTS.values())
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    assert len(await living(memory, user_id)) < len(FACTS)
    assert "summarized" in made.tags
    for question, fact in FACTS.items():
        assert any(fact in told for told in await recalled(memory, user_id, question))


async def test_memories_younger_than_the_minimum_age_stay(
    memory: MemoryService, user_id: str
) -> None:
    await learn(memory, user_id, *FACTS.values(), created_at=TODAY - timedelta(days=6))
    assert await memory.lifecycle.rolling_up.run(user_id, TODAY) == []


async def test_clusters_below_the_minimum_size_stay(memory: MemoryService, user_id: str) -> None:
    await learn(memory, user_id, *list(FACTS.values())[:2])
    assert await memory.lifecycle.rolling_up.run(user_id, TODAY) == []


@pytest.mark.parametrize("strategy", ["embeddings", "tags", "hybrid"])
async def test_each_strategy_finds_what_belongs_together(
    parts: Parts, user_id: str, strategy: str
) -> None:
    memory = parts.memory(roll_up_strategy=strategy)
    await learn(memory, user_id, *FACTS.values(), "User sleeps badly when it rains")
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    assert "rains" not in made.content


@pytest.mark.xfail(strict=True, reason="“and that is that” makes facts sound like one another")
async def test_a_summary_is_shorter_than_100_words(memory: MemoryService, user_id: str) -> None:
    long = [f"{fact}, {'and that is that, ' * 4}and no more" for fact in FACTS.values()]
    await learn(memory, user_id, *long)
    assert len(" ".join(long).split()) >= 100
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    assert 50 < len(made.content.split()) < 100


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(
            ("My sister Maria lives in Oslo", "My sister Maria moved to Bergen"),
            marks=pytest.mark.xfail(strict=True, reason="taken for what may be an update: asked"),
        ),
        pytest.param(
            ("My sister Maria is a nurse in Oslo", "My sister Maria is a nurse in Bergen now"),
            marks=pytest.mark.xfail(strict=True, reason="“likes opera” seems to change it too"),
        ),
    ],
)
async def test_contradictions_are_resolved_to_the_newer(
    memory: MemoryService, user_id: str, said: tuple[str, str]
) -> None:
    """Those that were found before, and those that come together only now."""
    more = ["My sister Maria has two cats", "My sister Maria likes opera"]
    await learn(memory, user_id, *said, *more, tags=("maria",))
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    assert "Bergen" in made.content
    assert "Oslo" not in made.content
    assert all("Oslo" not in item.content for item in await living(memory, user_id))


async def test_pinned_and_saved_ones_are_untouched(memory: MemoryService, user_id: str) -> None:
    await learn(memory, user_id, *list(FACTS.values())[:2], pinned=True)
    await learn(memory, user_id, *list(FACTS.values())[2:4], manually_saved=True)
    await learn(memory, user_id, *list(FACTS.values())[4:])
    assert await memory.lifecycle.rolling_up.run(user_id, TODAY) == []


async def test_the_originals_are_archived_and_can_be_brought_back(
    memory: MemoryService, user_id: str
) -> None:
    kept = await learn(memory, user_id, *FACTS.values())
    await memory.lifecycle.rolling_up.run(user_id, TODAY)
    page = await memory.entries.browse(user_id, MemoryFilter(include_trimmed=True))
    assert {item.id for item in kept} < {item.id for item in page.items}
    back = await memory.restore(user_id, kept[0].id, Origin())
    assert back.deleted_at is None
    assert kept[0].id in {item.id for item in await living(memory, user_id)}
    assert await memory.lifecycle.rolling_up.run(user_id, TODAY + timedelta(days=60)) == []


async def test_forgetting_one_takes_it_out_of_the_summary_and_nothing_else(
    memory: MemoryService, user_id: str
) -> None:
    kept = await learn(memory, user_id, *FACTS.values())
    await memory.lifecycle.rolling_up.run(user_id, TODAY)
    await memory.forgetting.forget(user_id, [kept[1].id], Origin(), for_good=True)
    left = {item.content for item in await living(memory, user_id)}
    assert left == set(FACTS.values()) - {kept[1].content}
    assert not any("Holm" in each for each in await recalled(memory, user_id, "Who is Mr Holm?"))


async def test_what_was_said_incognito_is_in_no_summary(
    memory: MemoryService, user_id: str
) -> None:
    """Nothing of it is stored, so that there is nothing to summarize; and an incognito chat
    summarizes nothing."""
    await learn(memory, user_id, *FACTS.values())
    private = memory.for_privacy("incognito")
    with pytest.raises(Exception, match="incognito"):
        await private.lifecycle.rolling_up.run(user_id, TODAY)


async def test_a_secret_is_in_no_summary(memory: MemoryService, user_id: str) -> None:
    """Also where it came in before such things were refused."""
    facts = [*FACTS.values(), "The code of my canoe's lock: password hunter2!xK9pQ"]
    await learn(memory, user_id, *facts, tags=("canoe",))
    [made] = await memory.lifecycle.rolling_up.run(user_id, TODAY)
    assert "hunter2" not in made.content
    assert any("hunter2" in item.content for item in await living(memory, user_id))
