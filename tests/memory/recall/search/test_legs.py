from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from memory.assembly import make_embedder
from memory.cache import Cache
from memory.database import Database
from memory.embedders.protocol import Embedder, Embedding
from memory.models import EmbeddingModel, NewItem
from memory.recall.search.legs import POOL, Legs
from memory.settings import LOCAL_DIMENSIONS, Settings
from memory.store.memories.items import EmbeddedItem, Items
from memory.store.memories.search import KeywordHit, Scope, Search, VectorHit
from memory.tokens import TokenCounter
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of

OPENAI = EmbeddingModel("text-embedding-3-small", LOCAL_DIMENSIONS)
Handler = Callable[[httpx2.Request], Coroutine[None, None, httpx2.Response]]


class WatchedSearch(Search):
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


class StuckSearch(Search):
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
async def kept(database: Database, user_id: str) -> Scope:
    items = Items(database)
    for text in ("I prefer uv over pip", "The cat sleeps"):
        await items.save(user_id, EmbeddedItem(NewItem(content=text), vector_of(text), "words"))
    return Scope(user_id, datetime.now(UTC))


def legs(search: Search, embedder: Embedder, *, embedding: float = 5.0, find: float = 5.0) -> Legs:
    return Legs(search, embedder, embedding_timeout=embedding, search_timeout=find)


async def test_both_legs_answer(database: Database, kept: Scope) -> None:
    found = await legs(Search(database), WordEmbedder()).run(kept, "uv pip")
    assert found.failed == ()
    assert found.keyword is not None
    assert found.vector is not None
    assert len(found.keyword) == 1
    assert len(found.vector) == 2
    assert found.keyword[0].id == found.vector[0].id
    assert found.embedding is not None
    assert found.embedding_seconds >= 0


async def test_the_keyword_leg_does_not_wait_for_the_embedding(
    database: Database, kept: Scope
) -> None:
    search = WatchedSearch(database)
    embedder = PatientEmbedder(search.keyword_answered)
    found = await legs(search, embedder, embedding=30, find=30).run(kept, "uv")
    assert found.failed == ()


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_no_embedding_leaves_the_keywords(
    database: Database, kept: Scope, embedder: Embedder
) -> None:
    found = await legs(Search(database), embedder, embedding=0.05).run(kept, "uv")
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
    kept: Scope,
    server: Handler,
    openai_embedder: Callable[[Handler], Embedder],
) -> None:
    embedder = openai_embedder(server)
    found = await legs(Search(database), embedder, embedding=0.2).run(kept, f"uv {server}")
    assert found.failed == ("vector",)
    assert found.keyword is not None
    assert len(found.keyword) == 1


@pytest.mark.parametrize("leg", ["keyword", "vector"])
async def test_a_leg_that_is_late_leaves_the_other(
    database: Database, kept: Scope, leg: str
) -> None:
    found = await legs(StuckSearch(database, leg), WordEmbedder(), find=0.3).run(kept, "uv")
    assert found.failed == (leg,)


async def test_without_a_database_both_fail(database: Database, kept: Scope) -> None:
    await database.close()
    found = await legs(Search(database), WordEmbedder()).run(kept, "uv")
    assert found.failed == ("keyword", "vector")
    assert (found.keyword, found.vector) == (None, None)


async def test_the_pool_is_bounded(database: Database, kept: Scope, user_id: str) -> None:
    words = [NewItem(content=f"uv number {each}") for each in range(POOL + 5)]
    await Items(database).save_all(
        user_id, [EmbeddedItem(item, vector_of(item.content), "words") for item in words]
    )
    found = await legs(Search(database), WordEmbedder()).run(kept, "uv")
    assert found.keyword is not None
    assert found.vector is not None
    assert (len(found.keyword), len(found.vector)) == (POOL, POOL)
