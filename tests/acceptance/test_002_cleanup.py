"""Specification 002, step 5: `cleanup_memories(min_length, remove_questions, dry_run)`."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime

import pytest

from app.cli.subcommands import cleanup
from memory.config import Settings
from memory.maintenance.retention import QualityRule
from memory.service import MemoryService
from memory.types import NewMemory, Origin
from tests.acceptance.conftest import Parts

TODAY = datetime.now(UTC)
DEFAULTS = inspect.signature(cleanup).parameters
GOOD = "Nyx is the mother of Psyche, and she taught her to write letters by hand"


@pytest.fixture
def memory(parts: Parts) -> MemoryService:
    return parts.memory()


async def texts(memory: MemoryService, user_id: str) -> set[str]:
    return {item.content for item in await memory.list_recent(user_id)}


def test_it_is_a_dry_run_and_takes_questions_unless_told_otherwise() -> None:
    assert DEFAULTS["apply"].default is False
    assert DEFAULTS["questions"].default is True


@pytest.mark.parametrize(
    "content", ["I prefer uv over pip", "Ada is my sister", "I am left-handed", "My bus is 14"]
)
def test_short_facts_stay_unless_told_otherwise(content: str) -> None:
    """002's 50 would take them: it keeps whole messages, and here only what was told is kept."""
    assert DEFAULTS["min_length"].default is None
    ours = QualityRule(Settings.model_fields["cleanup_min_chars"].default)
    assert ours.fault_of(content) is None
    assert QualityRule(50).fault_of(content) == "too short"
    assert ours.fault_of("ok then") == "too short"


async def test_short_memories_and_questions_go_and_answers_stay(
    memory: MemoryService, user_id: str
) -> None:
    contents = ["Who is your mother?", "ok then", GOOD, "When is Nyx here? On Friday at noon."]
    await memory.remember_all(user_id, [NewMemory(content=content) for content in contents])
    part = memory.lifecycle.cleanup
    planned = await part.plan(user_id, QualityRule(8))
    assert {item.content: why for item, why in planned} == {
        "Who is your mother?": "question",
        "ok then": "too short",
    }
    assert await texts(memory, user_id) == set(contents)
    await part.run(user_id, QualityRule(8), Origin("user"), TODAY)
    assert await texts(memory, user_id) == set(contents[2:])


async def test_the_minimum_length_can_be_the_specifications(
    memory: MemoryService, user_id: str
) -> None:
    items = [NewMemory(content=GOOD), NewMemory(content="User likes tea")]
    await memory.remember_all(user_id, items)
    await memory.lifecycle.cleanup.run(user_id, QualityRule(50), Origin("user"), TODAY)
    assert await texts(memory, user_id) == {GOOD}


async def test_it_can_be_undone(memory: MemoryService, user_id: str) -> None:
    await memory.remember_all(user_id, [NewMemory(content="Who is your mother?")])
    await memory.lifecycle.cleanup.run(user_id, QualityRule(50), Origin("user"), TODAY)
    assert await texts(memory, user_id) == set()
    assert await memory.lifecycle.cleanup.undo(user_id, Origin("user")) == 1
    assert await texts(memory, user_id) == {"Who is your mother?"}
