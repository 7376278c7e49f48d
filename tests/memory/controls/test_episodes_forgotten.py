"""What is forgotten goes from episodes as well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.actions.episodes import EpisodeService
from memory.actions.presentation import proof_text
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import EpisodeResult, NewEpisode, NewEpisodeAction, NewMemory
from tests.memory.controls.episodic import USER, ended, episodes_of, tasks


@pytest.fixture
def episodes(database: Database) -> EpisodeService:
    return episodes_of(database)


async def forgets(memory: MemoryService, user_id: str, content: str, *, for_good: bool) -> None:
    kept = (await memory.remember(user_id, NewMemory(content=content))).item
    await memory.forgetting.forget(user_id, [kept.id], USER, for_good=for_good)


async def test_what_was_forgotten_is_not_shown_and_then_erased_from_them(
    episodes: EpisodeService, memory: MemoryService, user_id: str
) -> None:
    """What else an episode says stays."""
    new = NewEpisode(task="Book a flight", plan=("My sister Maria lives in Oslo",))
    begun = await episodes.start(user_id, new, USER)
    result = "It is full. My sister Maria lives in Oslo. Try Friday."
    await episodes.record(user_id, begun.id, NewEpisodeAction(type="look", result=result))
    lines = ("My sister Maria lives in Oslo", "book early")
    await episodes.complete(
        user_id, begun.id, EpisodeResult(outcome_score=0.5, lessons_learned=lines), USER
    )
    await forgets(memory, user_id, "My sister Maria lives in Oslo", for_good=False)
    [shown] = await episodes.similar(user_id, "Book a flight")
    assert shown.episode.lessons_learned == ("book early",)
    assert (await episodes.read(user_id, begun.id)).lessons_learned == lines, "it can be undone"
    await memory.forgetting.erase_due(user_id, datetime.now(UTC) + timedelta(days=2))
    left = await episodes.read(user_id, begun.id)
    assert "Oslo" not in left.model_dump_json()
    assert left.actions[0].result == "It is full. [forgotten] Try Friday."
    assert (left.task, left.plan, left.lessons_learned) == ("Book a flight", (), ("book early",))


async def test_a_task_that_was_forgotten_loses_its_vector(
    episodes: EpisodeService, memory: MemoryService, database: Database, user_id: str
) -> None:
    begun = await ended(episodes, user_id, "My sister Maria lives in Oslo")
    await forgets(memory, user_id, "My sister Maria lives in Oslo", for_good=True)
    assert await tasks(episodes, user_id) == ["[forgotten]"]
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT id, embedding, needs_embedding FROM episodes")
    assert row is not None
    assert (str(row["id"]), row["embedding"], row["needs_embedding"]) == (begun, None, True)


async def test_forgetting_reaches_them_where_memory_is_off(
    episodes: EpisodeService, memory: MemoryService, user_id: str
) -> None:
    await ended(episodes, user_id, "A task", failure_modes=("My sister Maria lives in Oslo",))
    kept = (await memory.remember(user_id, NewMemory(content="My sister Maria lives in Oslo"))).item
    await memory.modes.change(user_id, "default", USER, memory_mode="off")
    await memory.forgetting.forget(user_id, [kept.id], USER, for_good=True)
    [left] = await episodes.browse(user_id)
    assert left.failure_modes == ()


async def test_what_was_only_said_goes_from_them_when_it_is_forgotten(
    episodes: EpisodeService, memory: MemoryService, user_id: str
) -> None:
    said = NewMessage("user", "The kayak trip with Ben was cold.", uuid4())
    await memory.conversations.add_message(user_id, uuid4(), said)
    lines = ("Ben knows a kayak shop", "book early")
    await ended(episodes, user_id, "Plan a trip", lessons_learned=lines)
    found = await memory.forgetting.said.find(user_id, "default", "kayak")
    assert found is not None
    await memory.forgetting.said.forget(user_id, found, USER)
    [left] = await episodes.browse(user_id)
    assert left.lessons_learned == ("book early",)
    [entry] = [each for each in await memory.audit.read(user_id) if each.action == "said_forgotten"]
    assert entry.detail["removed"]["episodes_redacted"] == 1


async def test_the_proof_of_a_forgotten_memory_looks_into_them(
    episodes: EpisodeService, memory: MemoryService, user_id: str
) -> None:
    content = "My sister Maria lives in Oslo"
    await ended(episodes, user_id, "A task", failure_modes=(content,))
    kept = (await memory.remember(user_id, NewMemory(content=content))).item
    await memory.forgetting.forget(user_id, [kept.id], USER, for_good=True)
    proof = await memory.forgetting.prove(user_id, kept.id)
    assert (proof.holds, proof.probe.episodes, proof.probe.alike_episodes) == (True, 1, 0)
    assert proof.grave.removed["episodes_redacted"] == 1
    assert "Episodes that hold it: 0 of 1" in proof_text(proof)
    await ended(episodes, user_id, "Another task", failure_modes=(f"It was late. {content}.",))
    again = await memory.forgetting.prove(user_id, kept.id)
    assert (again.holds, again.probe.alike_episodes) == (False, 1)
