"""Specification 000, “Telemetry & Alerts” and what background workers export: counted by the
program as it runs, and looked at through the alert rules of docker/prometheus."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from pydantic import SecretStr

from app.bootstrap import Keepsake, open_keepsake
from app.ops.stats import read_sections
from app.worker.worker import set_gauges
from memory.config import Settings
from memory.errors import EmbeddingUnavailable
from memory.local_services.services import ServiceAddresses
from memory.maintenance.backfill import VectorBackfill
from memory.metrics import MemoryMetrics
from memory.store.database import Database
from memory.store.vectors import MissingVectorStore
from memory.types import MemoryQueryRequest, NewMemory, Origin
from tests.acceptance.watching import fires, scrape
from tests.agent.turns import take_turn
from tests.memory.fakes import BrokenEmbedder, WordEmbedder

USER = "ada-of-the-telemetry"
ORIGIN = Origin()


@pytest.fixture
def addressed(own_database_url: str, services: ServiceAddresses, settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "keepsake_user": USER,
            "memory_cap": 3,
            "prune_batch_size": 1,
        }
    )


@pytest.fixture
async def keepsake(addressed: Settings) -> AsyncIterator[Keepsake]:
    async with open_keepsake(addressed, lambda _: None) as opened:
        yield opened


def counted(counters: MemoryMetrics, name: str, **labels: str) -> float:
    return counters.registry.get_sample_value(f"keepsake_{name}", labels) or 0.0


async def keep(keepsake: Keepsake, content: str, **fields: object) -> UUID:
    new = NewMemory.model_validate({"content": content, **fields})
    return (await keepsake.memory.remember(USER, new)).item.id


async def test_hit_rate_is_the_share_of_turns_that_memory_influenced(
    keepsake: Keepsake, conversation: UUID
) -> None:
    await keep(keepsake, "I live in Oslo")
    for said in ("Where do I live?", "Thank you!", "Where do I live?"):
        await take_turn(keepsake.assistant, USER, conversation, said)
    counters = keepsake.counters
    assert counted(counters, "turns_total", privacy="normal") == 3
    assert counted(counters, "turns_recalled_total") == 2
    assert counted(counters, "turns_cited_total") == 2


async def test_dedupe_saves_are_counted(keepsake: Keepsake) -> None:
    registry = keepsake.counters.registry
    for bank in keepsake.settings.memory_banks:
        assert registry.get_sample_value("keepsake_memories_kept_total", {"bank": bank}) == 0
    await keep(keepsake, "I live in Oslo")
    await keep(keepsake, "I live in Oslo!")
    assert counted(keepsake.counters, "dedupe_saves_total") == 1
    assert counted(keepsake.counters, "memories_kept_total", bank="Personal") == 1


async def test_trims_are_counted_and_a_pinned_one_that_would_go_is_an_alert(
    keepsake: Keepsake,
) -> None:
    before = scrape(keepsake.counters.registry)
    for content in ("I love kayaks", "My sister is called Mia", "I work at Acme", "I read maps"):
        await keep(keepsake, content)
    trimmed = scrape(keepsake.counters.registry)
    assert counted(keepsake.counters, "memories_pruned_total", strategy="lowest_score") == 1
    assert not fires("ProtectedTrim", before, trimmed)
    for content in ("I run on Sundays", "I speak Norwegian", "I drink tea", "I play the cello"):
        await keep(keepsake, content, manually_saved=True)
    assert counted(keepsake.counters, "protected_trims_avoided_total") > 0
    assert fires("ProtectedTrim", trimmed, scrape(keepsake.counters.registry))


async def test_backlog_depth_and_age_are_measured_and_an_old_one_is_an_alert(
    keepsake: Keepsake,
) -> None:
    now = datetime.now(UTC)
    await set_gauges(keepsake, now)
    fresh = scrape(keepsake.counters.registry)
    await keep(keepsake, "I live in Oslo")
    async with keepsake.database.as_user(USER) as connection:
        await connection.execute("UPDATE memory_items SET needs_embedding = true")
    await set_gauges(keepsake, now + timedelta(minutes=15))
    assert counted(keepsake.counters, "embedding_backlog", noun="items") == 1
    assert counted(keepsake.counters, "embedding_backlog_age_seconds", noun="items") > 800
    assert fires("EmbeddingBacklogOld", fresh, scrape(keepsake.counters.registry))
    assert not fires("EmbeddingBacklogOld", fresh, fresh)


async def test_time_to_embed_and_the_failure_rate_are_exported(database: Database) -> None:
    counters, embeddings = MemoryMetrics(), MissingVectorStore(database)
    async with database.as_user(USER) as connection:
        await connection.execute(
            "INSERT INTO memory_items (user_id, content, type, waiting_since) "
            "VALUES ($1, 'I live in Oslo', 'fact', now() - interval '7 minutes')",
            USER,
        )
    with pytest.raises(EmbeddingUnavailable):
        await VectorBackfill(embeddings, BrokenEmbedder(), counters).drain(USER)
    assert counted(counters, "embedding_failures_total") == 1
    assert await VectorBackfill(embeddings, WordEmbedder(), counters).drain(USER) == 1
    assert counted(counters, "embedding_wait_seconds_count") == 1
    assert 400 < counted(counters, "embedding_wait_seconds_sum") < 500


async def test_what_users_do_is_counted(keepsake: Keepsake, conversation: UUID) -> None:
    item_id = await keep(keepsake, "I live in Oslo")
    await keepsake.memory.entries.pin(USER, item_id, ORIGIN)
    await keepsake.memory.entries.unpin(USER, item_id, ORIGIN)
    await keepsake.memory.forgetting.forget(USER, [item_id], ORIGIN)
    for said in ("turn memory off", "turn memory on", "start incognito for this chat"):
        await take_turn(keepsake.assistant, USER, conversation, said)
    for action in ("pin", "unpin", "forget", "memory off", "memory on", "incognito on"):
        assert counted(keepsake.counters, "user_actions_total", action=action) == 1, action


async def test_what_a_program_counted_outlives_it(addressed: Settings) -> None:
    for _ in range(2):
        async with open_keepsake(addressed, lambda _: None) as keepsake:
            await keepsake.memory.recall(MemoryQueryRequest(user_id=USER, query="tea"))
    database = await Database.open(addressed.database_url.get_secret_value())  # type: ignore[union-attr]
    try:
        sections = await read_sections(database, USER, 2, datetime.now(UTC))
    finally:
        await database.close()
    lines = {line.name: line.value for each in sections for line in each.lines}
    assert lines["of memories"] == "2"


async def test_no_metric_names_a_user_or_holds_a_word_of_theirs(
    keepsake: Keepsake, conversation: UUID
) -> None:
    await keep(keepsake, "I live in Oslo")
    await take_turn(keepsake.assistant, USER, conversation, "Where do I live?")
    await set_gauges(keepsake, datetime.now(UTC))
    told = str(scrape(keepsake.counters.registry))
    assert "Oslo" not in told
    assert USER not in told
