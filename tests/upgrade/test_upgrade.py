"""From each earlier schema with data in it to that of today: nothing is lost, and it is used as if
it had been kept today."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from app.ops.backup import restore_database, write_backup
from app.ops.backup_archive import open_archive
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder, Embedding
from memory.factory import make_memory
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import MemoryQueryRequest, MessageQueryRequest, Origin
from migrations.runner import load_migrations, migrate, read_pending
from migrations.scratch import scratch_database
from tests.conftest import PROFILE
from tests.upgrade.rows import FACT, FORGOTTEN, REPLACED, SAID, UNEMBEDDED, USER, fill

MIGRATIONS = load_migrations()
EARLIER = [migration.version for migration in MIGRATIONS[:-1]]
# Of which a backup is restored by today's program as well: the first, and those of issues.
BACKED_UP = [1, 6, 12]


@pytest.fixture
async def empty_url(services: ServiceAddresses) -> AsyncIterator[str]:
    async with scratch_database(services.database_url, prefix="upgrade") as url:
        yield url


@pytest.fixture
async def vectors(embedder: Embedder) -> dict[str, Embedding]:
    texts = [FACT, REPLACED, FORGOTTEN, SAID]
    return dict(zip(texts, await embedder.embed_texts(texts), strict=True))


class Today:
    """Today's program on an upgraded database."""

    def __init__(self, embedder: Embedder, cache: Cache, settings: Settings) -> None:
        self._embedder = embedder
        self._cache = cache
        self.settings = settings

    async def check(self, url: str) -> None:
        """That everything is there, and can be used."""
        database = await Database.open(url)
        memory = make_memory(database, self._embedder, self._cache, TokenCounter(), self.settings)
        try:
            await _is_all_there(memory)
            await _is_found(memory)
            await _can_be_changed(memory)
        finally:
            await memory.aclose()
            await database.close()


@pytest.fixture
def today(embedder: Embedder, cache: Cache, settings: Settings) -> Today:
    return Today(embedder, cache, settings)


async def _is_all_there(memory: MemoryService) -> None:
    living = {item.content: item for item in await memory.entries.all(USER)}
    assert set(living) == {FACT, UNEMBEDDED}
    assert living[FACT].pinned
    assert list(living[FACT].tags) == ["boat"]


async def _is_found(memory: MemoryService) -> None:
    await memory.embed_waiting(USER)
    for query, wanted in (("What is my boat called?", FACT), ("What tea do I drink?", UNEMBEDDED)):
        answer = await memory.recall(MemoryQueryRequest(user_id=USER, query=query))
        assert (answer.error, answer.degraded) == (False, ())
        assert [item.content for item in answer.items] == [wanted]
    said = await memory.recall_messages(MessageQueryRequest(user_id=USER, query="boat Aurora"))
    assert SAID in [item.content for item in said.items]
    off = await memory.recall(MemoryQueryRequest(user_id=USER, query="boat", space="secret"))
    assert off.off


async def _can_be_changed(memory: MemoryService) -> None:
    [tea] = [item for item in await memory.entries.all(USER) if item.content == UNEMBEDDED]
    await memory.forgetting.forget(USER, [tea.id], Origin())
    assert [item.content for item in await memory.entries.all(USER)] == [FACT]
    await memory.restore(USER, tea.id, Origin())
    assert len(await memory.entries.all(USER)) == 2


async def rows(url: str) -> dict[str, int]:
    owner = await asyncpg.connect(url)
    try:
        names = await owner.fetch(
            "SELECT table_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND column_name = 'user_id' ORDER BY 1"
        )
        return {name: await owner.fetchval(f"SELECT count(*) FROM {name}") for (name,) in names}
    finally:
        await owner.close()


async def earlier(url: str, version: int, vectors: dict[str, Embedding]) -> None:
    """A database of that schema with data in it."""
    await migrate(url, PROFILE, [each for each in MIGRATIONS if each.version <= version])
    await fill(url, vectors)


@pytest.mark.parametrize("version", EARLIER, ids=lambda version: f"from {version:04}")
async def test_an_earlier_database_is_brought_to_today(
    empty_url: str, vectors: dict[str, Embedding], today: Today, version: int
) -> None:
    await earlier(empty_url, version, vectors)
    before = await rows(empty_url)
    applied = await migrate(empty_url, PROFILE)
    assert applied == [each.name for each in MIGRATIONS if each.version > version]
    after = await rows(empty_url)
    assert {name: after[name] for name in before} == before
    await today.check(empty_url)


@pytest.mark.parametrize("version", BACKED_UP, ids=lambda version: f"of {version:04}")
async def test_an_earlier_backup_is_restored_and_brought_to_today(
    empty_url: str, vectors: dict[str, Embedding], today: Today, tmp_path: Path, version: int
) -> None:
    file = tmp_path / "old.backup"
    async with scratch_database(empty_url, prefix="earlier") as old_url:
        await earlier(old_url, version, vectors)
        await write_backup(file, old_url, today.settings)
    with open_archive(file) as archive:
        assert archive.manifest.schema_version == version
        await restore_database(archive, empty_url, replace=False)
    assert await read_pending(empty_url) == []
    await today.check(empty_url)


async def test_who_writes_meanwhile_loses_nothing(
    empty_url: str, vectors: dict[str, Embedding], today: Today
) -> None:
    """An old program that is still connected waits for a moment, no more."""
    await earlier(empty_url, 5, vectors)
    writer, written, ended = await asyncpg.connect(empty_url), 0, asyncio.Event()

    async def write_on() -> None:
        nonlocal written
        while not ended.is_set():
            await writer.execute(
                "INSERT INTO conversations (user_id, title) VALUES ('bob', 'still here')"
            )
            written += 1

    async with asyncio.TaskGroup() as group:
        group.create_task(write_on())
        await migrate(empty_url, PROFILE)
        ended.set()
    kept = await writer.fetchval("SELECT count(*) FROM conversations WHERE user_id = 'bob'")
    await writer.close()
    assert kept == written > 0
    await today.check(empty_url)
