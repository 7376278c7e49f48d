from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from uuid import uuid4

import numpy as np
import pytest

from eval.datasets.golden import GOLDEN_NOW
from eval.datasets.outage import (
    FailingDatabase,
    HangingEmbedder,
    UnavailableEmbedder,
    WithoutBothSearches,
    WithoutKeywordSearch,
    WithoutVectorSearch,
)
from memory.config import LOCAL_DIMENSIONS
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable
from memory.service import MemoryService
from memory.store.search import MemorySearch, SearchScope
from memory.store.spaces import SpaceSettingsStore
from memory.types import NewMemory

UNIT: Embedding = np.eye(1, LOCAL_DIMENSIONS, dtype=np.float32)[0]


@pytest.mark.parametrize(
    ("kind", "by_keyword", "by_vector"),
    [
        (FailingDatabase, True, True),
        (WithoutVectorSearch, True, False),
        (WithoutKeywordSearch, False, True),
        (WithoutBothSearches, False, False),
    ],
)
async def test_a_database_fails_in_the_searches_that_are_away_and_in_nothing_else(  # noqa: PLR0917 - fixtures
    memory: MemoryService,
    database_url: str,
    user_id: str,
    kind: type[FailingDatabase],
    by_keyword: bool,
    by_vector: bool,
) -> None:
    [kept] = await memory.remember_all(user_id, [NewMemory(content="I live in Bergen.")])
    lame = await kind.open(database_url)
    try:
        search, scope = MemorySearch(lame), SearchScope(user_id, GOLDEN_NOW.replace(year=2100))
        assert await answers(search.search_by_keyword(scope, "Bergen", 5)) is by_keyword
        assert await answers(search.search_by_vector(scope, UNIT, 5)) is by_vector
        assert [row.id for row in await search.read_candidates(scope, [kept.id], UNIT)] == [kept.id]
        assert not await SpaceSettingsStore(lame).is_off(user_id, "default")
        as_of = SearchScope(user_id, scope.now, as_of=scope.now)
        assert await answers(search.search_by_vector(as_of, UNIT, 5)) is by_vector
    finally:
        await lame.close()


async def test_restricted_it_is_as_lame(database_url: str) -> None:
    lame = await WithoutKeywordSearch.open(database_url)
    try:
        search = MemorySearch(lame.with_access("read"))
        assert not await answers(
            search.search_by_keyword(SearchScope(str(uuid4()), GOLDEN_NOW), "Bergen", 5)
        )
    finally:
        await lame.close()


async def test_an_embedder_that_is_away_says_so(embedder: Embedder) -> None:
    away = UnavailableEmbedder(embedder)
    assert (away.model, away.dimensions) == (embedder.model, embedder.dimensions)
    with pytest.raises(EmbeddingUnavailable):
        await away.embed_query("hello")
    with pytest.raises(EmbeddingUnavailable):
        await away.embed_texts(["hello"])


async def test_a_late_embedder_keeps_everybody_waiting(embedder: Embedder) -> None:
    late = HangingEmbedder(embedder)
    for asked in (late.embed_query("hello"), late.embed_texts(["hello"])):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asked, 0.01)


async def answers(search: Awaitable[object]) -> bool:
    try:
        await search
    except DatabaseUnavailable:
        return False
    return True
