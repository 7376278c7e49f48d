from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import pytest
from rich.console import Console

from app.ops.stats import StatsSection, print_stats, read_sections
from app.telemetry.metrics import DailyTotals
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.statistics import MetricTotalStore
from memory.types import NewMemory, Origin

pytestmark = pytest.mark.usefixtures("own_database_url")

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
ORIGIN = Origin()


def page(sections: list[StatsSection], *, plain: bool) -> str:
    console = Console(file=io.StringIO(), width=125, color_system=None)
    print_stats(console, "Keepsake", sections, plain=plain)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def line(text: str, name: str) -> list[str]:
    [found] = [each for each in text.splitlines() if each.split("\t")[0] == name]
    return found.split("\t")[1:]


async def count_some(database: Database, days_ago: int) -> None:
    counters = MemoryMetrics()
    counters.turns.labels("normal").inc(8)
    counters.turns.labels("incognito").inc(2)
    counters.turns_recalled.inc(4)
    counters.turns_cited.inc(3)
    counters.recalls.labels("memories", "found").inc(4)
    counters.recall_seconds.labels("memories").observe(0.03)
    counters.model_calls.labels("answer", "answered").inc(8)
    counters.model_tokens.labels("answer", "in").inc(12_000)
    counters.model_cost.labels("answer").inc(0.003)
    counters.trims.labels("fifo").inc(2)
    counters.guard_activations.labels("embedder").inc()
    day = (NOW - timedelta(days=days_ago)).date()
    await DailyTotals(counters.registry, MetricTotalStore(database), lambda: day).write()


async def test_the_page_has_what_all_programs_counted(database: Database, user_id: str) -> None:
    for days_ago in (0, 1, 40):
        await count_some(database, days_ago)
    text = page(await read_sections(database, user_id, 14, NOW), plain=True)
    assert line(text, "turns") == ["20"]
    assert line(text, "hit rate") == ["75%"]
    assert line(text, "incognito") == ["4"]
    assert line(text, "of memories") == ["8"]
    assert line(text, "answer: calls") == ["16"]
    assert line(text, "answer: tokens") == ["24,000", "about $0.0060"]
    assert line(text, "trimmed") == ["4"]
    assert line(text, "embedder left alone") == ["2"]


async def test_a_users_memory_is_that_users(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    await memory.remember("somebody-else", NewMemory(content="I love opera", bank="Interests"))
    oslo = (await memory.remember(user_id, NewMemory(content="I live in Oslo"))).item
    acme = (await memory.remember(user_id, NewMemory(content="I work at Acme", bank="Work"))).item
    await memory.entries.pin(user_id, oslo.id, ORIGIN)
    await memory.forgetting.forget(user_id, [acme.id], ORIGIN)
    text = page(await read_sections(database, user_id, 14, datetime.now(UTC)), plain=True)
    own = text.partition(f"Memory of {user_id}\n")[2].partition("\n\n")[0]
    assert line(own, "pinned") == ["1"]
    assert line(own, "forgotten") == ["1"]
    assert line(own, "did: forgotten") == ["1"]
    assert "Work" not in own
    assert "Interests" not in own
    assert line(text, "Interests") == ["1"]  # by bank, of all users


async def test_what_waits_is_shown(memory: MemoryService, database: Database, user_id: str) -> None:
    await memory.remember(user_id, NewMemory(content="I live in Oslo"))
    text = page(await read_sections(database, user_id, 14, datetime.now(UTC)), plain=True)
    assert line(text, "memories without vector")[0] == "0"
    assert line(text, "jobs given up") == ["0"]


async def test_for_people_it_is_drawn(database: Database, user_id: str) -> None:
    for days_ago in (0, 1):
        await count_some(database, days_ago)
    text = page(await read_sections(database, user_id, 14, NOW), plain=False)
    assert "██" in text
    assert "╭─ Turns" in text
    assert max(len(each) for each in text.splitlines()) <= 125


async def test_a_new_installation_has_little_to_say(database: Database, user_id: str) -> None:
    text = page(await read_sections(database, user_id, 14, NOW), plain=True)
    assert "nothing is remembered yet" in text
    assert "Turns" not in text
