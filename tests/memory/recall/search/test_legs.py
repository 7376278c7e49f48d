from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from memory.cache import Cache
from memory.config import LOCAL_DIMENSIONS, Settings
from memory.embeddings.factory import make_embedder
from memory.embeddings.protocol import Embedder, Embedding
from memory.retrieval.hybrid_search import POOL, MemoryHybridSearch
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import KeywordHit, MemorySearch, SearchScope, VectorHit
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, NewMemory
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of

OPENAI = EmbeddingModel("text-embedding-3-small", LOCAL_DIMENSIONS)
Handler = Callable[[httpx2.Request], Coroutine[None, None, httpx2.Response]]


class WatchedSearch(MemorySearch):
    """Says when the keyword leg has answered."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.keyword_answered = asyncio.Event()

    async def search_by_keyword(self, *asked: Any) -> list[KeywordHit]:
        hits = await super().search_by_keyword(*asked)
        self.keyword_answered.set()
        return hits


class PatientEmbedder(WordEmbedder):
    """Answers only after the keyword leg did."""

    def __init__(self, answered: asyncio.Event) -> None:
        super().__init__()
        self._answered = answered

    async def embed_query(self, text: str) -> Embedding:
        await self._answered.wait()
        return await super().embed_query(text)


class StuckSearch(MemorySearch):
    """Never answers, on the leg that is named."""

    def __init__(self, database: Database, leg: str) -> None:
        super().__init__(database)
        self._leg = leg

    async def search_by_keyword(self, *asked: Any) -> list[KeywordHit]:
        if self._leg == "keyword":
            await asyncio.Event().wait()
        return await super().search_by_keyword(*asked)

    async def search_by_vector(self, *asked: Any) -> list[VectorHit]:
        if self._leg == "vector":
            await asyncio.Event().wait()
        return await super().search_by_vector(*asked)


@pytest.fixture
async def kept(database: Database, user_id: str) -> SearchScope:
    items = MemoryStore(database)
    for text in ("I prefer uv over pip", "The cat sleeps"):
        await items.save(user_id, EmbeddedMemory(NewMemory(content=text), vector_of(text), "words"))
    return SearchScope(user_id, datetime.now(UTC))


def legs(
    search: MemorySearch, embedder: Embedder, *, embedding: float = 30.0, find: float = 30.0
) -> MemoryHybridSearch:
    return MemoryHybridSearch(search, embedder, embedding_timeout=embedding, search_timeout=find)


async def test_both_legs_answer(database: Database, kept: SearchScope) -> None:
    found = await legs(MemorySearch(database), WordEmbedder()).run(kept, "uv pip")
    assert found.failed == ()
    assert found.keyword is not None
    assert found.vector is not None
    assert len(found.keyword) == 1
    assert len(found.vector) == 2
    assert found.keyword[0].id == found.vector[0].id
    assert found.embedding is not None
    assert found.embedding_seconds >= 0


async def test_the_keyword_leg_does_not_wait_for_the_embedding(
    database: Database, kept: SearchScope
) -> None:
    search = WatchedSearch(database)
    embedder = PatientEmbedder(search.keyword_answered)
    found = await legs(search, embedder, embedding=30, find=30).run(kept, "uv")
    assert found.failed == ()


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_no_embedding_leaves_the_keywords(
    database: Database, kept: SearchScope, embedder: Embedder
) -> None:
    found = await legs(MemorySearch(database), embedder, embedding=0.05).run(kept, "uv")
    assert found.failed == ("vector",)
    assert found.embedding is None
    assert found.keyword is not None
    assert len(found.keyword) == 1


@pytest.fixture
async def openai_embedder(
    cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[Callable[[Handler], Embedder]]:
    made: list[Embedder] = []

    def make(handler: Handler) -> Embedder:
        transport = httpx2.MockTransport(handler)
        made.append(make_embedder(OPENAI, settings, cache, counter, transport))
        return made[-1]

    yield make
    for embedder in made:
        await embedder.aclose()


async def refuses(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(401, json={"error": {"message": "bad key"}})


async def is_away(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("refused", request=request)


async def is_silent(_: httpx2.Request) -> httpx2.Response:
    await asyncio.Event().wait()
    raise AssertionError


async def speaks_nonsense(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, text="<html>")


@pytest.mark.parametrize("server", [refuses, is_away, is_silent, speaks_nonsense])
async def test_an_embedding_server_that_fails_leaves_the_keywords(
    database: Database,
    kept: SearchScope,
    server: Handler,
    openai_embedder: Callable[[Handler], Embedder],
) -> None:
    embedder = openai_embedder(server)
    found = await legs(MemorySearch(database), embedder, embedding=0.2).run(kept, f"uv {server}")
    assert found.failed == ("vector",)
    assert found.keyword is not None
    assert len(found.keyword) == 1


@pytest.mark.parametrize("leg", ["keyword", "vector"])
async def test_a_leg_that_is_late_leaves_the_other(
    database: Database, kept: SearchScope, leg: str
) -> None:
    found = await legs(StuckSearch(database, leg), WordEmbedder(), find=2.0).run(kept, "uv")
    assert found.failed == (leg,)


@pytest.mark.usefixtures("own_database_url")
async def test_without_a_database_both_fail(database: Database, kept: SearchScope) -> None:
    await database.close()
    found = await legs(MemorySearch(database), WordEmbedder()).run(kept, "uv")
    assert found.failed == ("keyword", "vector")
    assert (found.keyword, found.vector) == (None, None)


async def test_the_pool_is_bounded(database: Database, kept: SearchScope, user_id: str) -> None:
    words = [NewMemory(content=f"uv number {each}") for each in range(POOL + 5)]
    await MemoryStore(database).save_all(
        user_id, [EmbeddedMemory(item, vector_of(item.content), "words") for item in words]
    )
    found = await legs(MemorySearch(database), WordEmbedder()).run(kept, "uv")
    assert found.keyword is not None
    assert found.vector is not None
    assert (len(found.keyword), len(found.vector)) == (POOL, POOL)
