from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import numpy as np
import pytest

from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import MemorySearch, SearchScope
from memory.types import NewMemory
from tests.memory.fakes import unit, vector_of
from tests.memory.store.memories.bm25 import Document, rank

NOW = datetime.now(UTC)
WORDS = [
    *("uv", "pip", "python", "cat", "cats", "sleeping", "sleeps", "sofa", "Lyon", "the", "of"),
    *("and", "moved", "house-boat", "www.example.org", "it's", "café", "2026", "3.14", "running"),
    *("ran", "user@example.org", "naïve", "🙂", "prefers", "preferred", "memory", "memories"),
]


@dataclass
class Store:
    database: Database
    items: MemoryStore
    search: MemorySearch
    user_id: str

    async def keep(self, *texts: str, user_id: str | None = None, **fields: Any) -> list[UUID]:
        new = [
            EmbeddedMemory(NewMemory(content=text, **fields), vector_of(text), "words")
            for text in texts
        ]
        return [kept.id for kept in await self.items.save_all(user_id or self.user_id, new)]

    async def lexemes(self, text: str, tags: Sequence[str] = ()) -> Document:
        async with self.database.as_user(self.user_id) as connection:
            rows = await connection.fetch(
                "SELECT lexeme, cardinality(positions) AS count "
                "FROM unnest(keyword_vector($1, $2)) ORDER BY positions[1], lexeme",
                text,
                list(tags),
            )
        return Document({row["lexeme"]: row["count"] for row in rows})

    async def by_keyword(self, query: str, pool: int = 60, **scope: Any) -> list[UUID]:
        hits = await self.search.search_by_keyword(self.scope(**scope), query, pool)
        return [hit.id for hit in hits]

    async def by_vector(self, query: str, pool: int = 60, **scope: Any) -> list[UUID]:
        hits = await self.search.search_by_vector(self.scope(**scope), vector_of(query), pool)
        return [hit.id for hit in hits]

    async def read(self, ids: Sequence[UUID], **scope: Any) -> list[UUID]:
        rows = await self.search.read_candidates(self.scope(**scope), ids, vector_of("uv"))
        return [row.id for row in rows]

    def scope(self, **fields: Any) -> SearchScope:
        given: dict[str, Any] = {"user_id": self.user_id, "now": NOW} | fields
        return SearchScope(**given)


@pytest.fixture
def store(database: Database, user_id: str) -> Store:
    return Store(database, MemoryStore(database), MemorySearch(database), user_id)


@pytest.mark.parametrize("seed", range(4))
async def test_bm25_is_the_published_formula(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    texts = [" ".join(chance.choices(WORDS, k=chance.randint(1, 40))) for _ in range(60)]
    ids = await store.keep(*texts)
    documents = [await store.lexemes(text) for text in texts]
    for _ in range(8):
        query = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
        expected = rank(await store.lexemes(query), documents, documents)
        hits = await store.search.search_by_keyword(store.scope(), query, 100)
        wanted = {item: score for item, score in zip(ids, expected, strict=True) if score}
        assert {hit.id for hit in hits} == set(wanted)
        for hit in hits:
            assert (hit.bm25, hit.coverage) == pytest.approx(wanted[hit.id], rel=0, abs=1e-9)
            assert 0 < hit.bm25 < 1
            assert 0 < hit.coverage <= 1 + 1e-12
        assert [hit.bm25 for hit in hits] == sorted((hit.bm25 for hit in hits), reverse=True)


async def test_bm25_with_types_and_the_forgotten(store: Store) -> None:
    """What is filtered out of the search still belongs to the corpus, what is gone does not."""
    texts = ["uv uv pip", "uv", "cat uv sleeps", "pip pip pip", "uv gone"]
    facts = await store.keep(*texts[:3])
    await store.keep(texts[3], type="note")
    [gone] = await store.keep(texts[4])
    await store.items.delete(store.user_id, gone)
    documents = [await store.lexemes(text) for text in texts[:4]]
    expected = rank(await store.lexemes("uv or pip"), documents[:3], documents)
    scope = store.scope(types=("fact",))
    hits = {
        each.id: (each.bm25, each.coverage)
        for each in await store.search.search_by_keyword(scope, "uv or pip", 60)
    }
    assert set(hits) == set(facts)
    for item, score in zip(facts, expected, strict=True):
        assert hits[item] == pytest.approx(score, rel=0, abs=1e-9)


async def test_tags_are_searched_like_words(store: Store) -> None:
    [tagged] = await store.keep("We go every summer", tags=("camping", "France"))
    assert await store.by_keyword("camping") == [tagged]


async def test_only_the_first_64_words_of_a_question_count(store: Store) -> None:
    within, beyond = await store.keep("word63", "word64")
    query = " ".join(f"word{each}" for each in range(100))
    assert await store.by_keyword(query) == [within]
    assert beyond not in await store.by_keyword(query)


QUESTIONS = [
    "", " ", "the of and", "?!.,;", "\\", "'", "''", "\\'", "' OR 1=1 --", "& | ! <-> :* ( )",
    "((((", "a\\", "%_", "🙂", "\u0301", "$1 {0}", "x" * 8192, "\\' " * 2700, "uv:*", "!uv",
    "uv & !uv", "'uv'", "\\uv", "UV's", "uv " * 2730,
]  # fmt: skip


async def test_any_question_is_searched(store: Store) -> None:
    kept = await store.keep("I prefer uv over pip")
    found = [(query, await store.by_keyword(query)) for query in QUESTIONS]
    assert [
        (query[:20], got) for query, got in found if got != (kept if "uv" in query.lower() else [])
    ] == []


async def test_words_with_signs_are_found_again(store: Store) -> None:
    for text in (r"C:\Users\ada", "it's O'Neill", "https://example.org/a?b='c'", "back\\slash"):
        [kept] = await store.keep(text)
        assert kept in await store.by_keyword(text)


async def test_equal_memories_come_in_the_order_of_their_ids(store: Store) -> None:
    ids = await store.keep(*["The same words"] * 12)
    assert await store.by_keyword("same words", 5) == sorted(ids)[:5]
    assert await store.by_vector("same words", 5) == sorted(ids)[:5]


async def test_the_pool_is_a_limit(store: Store) -> None:
    await store.keep(*[f"uv number {each}" for each in range(9)])
    assert len(await store.by_keyword("uv", 4)) == len(await store.by_vector("uv", 4)) == 4


async def test_types_filter_both_legs(store: Store) -> None:
    [fact] = await store.keep("uv is a fact")
    [note] = await store.keep("uv is a note", type="note")
    for types, wanted in (
        (("fact",), {fact}),
        (("note",), {note}),
        (("fact", "note"), {fact, note}),
        (("decision",), set()),
        ((), set()),
        (None, {fact, note}),
    ):
        assert set(await store.by_keyword("uv", types=types)) == wanted
        assert set(await store.by_vector("uv", types=types)) == wanted


async def test_a_space_is_a_hard_boundary(store: Store) -> None:
    [home] = await store.keep("uv at home")
    [work] = await store.keep("uv at work", space="work")
    assert await store.by_keyword("uv") == await store.by_vector("uv") == [home]
    assert await store.by_keyword("uv", space="work") == [work]
    assert await store.by_vector("uv", space="work") == [work]
    assert await store.by_keyword("uv", space="elsewhere") == []


async def test_another_users_memories_do_not_exist(store: Store) -> None:
    mine = await store.keep("uv is mine")
    theirs = await store.keep("uv is theirs", user_id=f"{store.user_id}-other")
    assert await store.by_keyword("uv") == await store.by_vector("uv") == mine
    assert await store.read([*mine, *theirs]) == mine


async def gone_for(store: Store, how: str, item_id: UUID, by: UUID) -> None:
    if how == "deleted":
        await store.items.delete(store.user_id, item_id)
    elif how == "superseded":
        await store.items.supersede(store.user_id, item_id, by)


@pytest.mark.parametrize("how", ["deleted", "superseded", "expired"])
async def test_what_is_gone_never_comes_back(store: Store, how: str) -> None:
    [stays] = await store.keep("uv stays")
    expires = NOW - timedelta(seconds=1) if how == "expired" else None
    [goes] = await store.keep("uv goes", expires_at=expires)
    await gone_for(store, how, goes, stays)
    assert await store.by_keyword("uv") == [stays]
    assert await store.by_vector("uv") == [stays]
    assert await store.read([stays, goes]) == [stays]


async def test_expiry_is_as_of_the_question(store: Store) -> None:
    [item] = await store.keep("uv expires", expires_at=NOW)
    before, at = NOW - timedelta(microseconds=1), NOW
    for search in (store.by_keyword("uv", now=before), store.by_vector("uv", now=before)):
        assert await search == [item]
    for search in (store.by_keyword("uv", now=at), store.by_vector("uv", now=at)):
        assert await search == []
    assert await store.read([item], now=before) == [item]
    assert await store.read([item], now=at) == []


async def test_a_candidate_without_a_vector_has_no_cosine(store: Store) -> None:
    bare = EmbeddedMemory(NewMemory(content="uv without a vector"), None, None)
    kept = await store.items.save(store.user_id, bare)
    [near] = await store.keep("uv")
    rows = await store.search.read_candidates(store.scope(), [kept.id, near], vector_of("uv"))
    cosines = {row.id: row.cosine for row in rows}
    assert cosines[kept.id] is None
    assert cosines[near] == pytest.approx(1.0, abs=1e-3)
    assert await store.by_vector("uv") == [near]
    unasked = await store.search.read_candidates(store.scope(), [near], None)
    assert [row.cosine for row in unasked] == [None]


WITH_VECTOR = """
INSERT INTO memory_items (user_id, id, content, type, embedding, embedding_model, needs_embedding)
VALUES ($1, $2, 'x', 'fact', $3, 'words', false)
"""


async def test_the_vector_leg_is_exact_among_other_users(store: Store) -> None:
    chance = np.random.default_rng(7)
    drawn = {
        user_id: np.array([unit(row) for row in chance.normal(size=(2000, 384))], np.float32)
        for user_id in (store.user_id, f"{store.user_id}-other")
    }
    ids = [uuid4() for _ in range(2000)]
    for user_id, vectors in drawn.items():
        named = ids if user_id == store.user_id else [uuid4() for _ in range(2000)]
        rows = [(user_id, each, vector) for each, vector in zip(named, vectors, strict=True)]
        async with store.database.as_user(user_id) as connection:
            await connection.executemany(WITH_VECTOR, rows)
    stored = drawn[store.user_id].astype(np.float16).astype(np.float64)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    for query in chance.normal(size=(5, 384)):
        asked = unit(query)
        exact = stored @ asked.astype(np.float16).astype(np.float64)
        best = np.argsort(-exact)[:60]
        hits = await store.search.search_by_vector(store.scope(), asked, 60)
        assert {hit.id for hit in hits} == {ids[each] for each in best}
        assert [hit.cosine for hit in hits] == pytest.approx(exact[best], abs=1e-4)


async def test_the_search_has_no_user_of_its_own_choice(database_url: str) -> None:
    """Without an identity it refuses; with one it takes no other."""
    login = await asyncpg.connect(database_url)
    try:
        await login.execute("SET ROLE keepsake_app")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="user_id is not set"):
            await login.fetch(
                "SELECT * FROM search_memory_items('uv', 'default', null, null, null, now(), 9)"
            )
    finally:
        await login.close()
