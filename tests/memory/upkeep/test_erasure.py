"""The forget test: after forgetting and erasure nothing that is stored holds the text or its
vector, looked for as a superuser in every column of every table and in every Redis key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg
import numpy as np
import pytest
from pgvector import HalfVector
from redis.asyncio import Redis

from memory.actions.forgetting.cache_invalidation import CacheInvalidator, cached_forms
from memory.actions.forgetting.erasure import Erasure
from memory.actions.forgetting.proof import TombstoneDigester
from memory.actions.portability import ExportImporter, Portability
from memory.cache import Cache, CachedMessage, EmbeddingCache, SessionCache, SessionState
from memory.embeddings.cached import CachedEmbedder
from memory.fingerprints import KeyedDigester
from memory.ingestion.deduplication import RelationCache
from memory.ingestion.preparation import MemoryPreparer
from memory.local_services.services import ServiceAddresses
from memory.retrieval.query import mask_names, prepare_query
from memory.store.conversations import DatabaseConversations
from memory.store.database import WORKER_ROLE, Database
from memory.store.erasure import ErasureStore
from memory.store.forgetting import UNDO_TIME, ForgettingStore
from memory.store.messages import NewMessage
from memory.store.portability import ImportStore, PortabilityStore
from memory.text import to_first_person
from memory.types import NewMemory, Origin, SaveOutcome
from memory.understanding import OfflineReader
from tests.memory.cache.kept_sessions import keep
from tests.memory.fakes import WordEmbedder, vector_of
from tests.patience import PATIENCE

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SECRET = "Zanzibarville"
STEM = "zanzibarvill"
CONTENT = f"User's sister Maria lives in {SECRET}"
SAID = f"My sister Maria lives in {SECRET}. I like tea."
TEXTS = (SAID, f"So Maria lives in {SECRET}?", f"My sister's in {SECRET}, remember")
USER = Origin("user")


@dataclass
class Stored:
    """Everything in which Keepsake stores, and `owner`, who sees every row of every table."""

    database: Database
    owner: asyncpg.Connection[asyncpg.Record]
    redis: Redis
    cache: Cache

    @property
    def embedder(self) -> CachedEmbedder:
        return CachedEmbedder(WordEmbedder(), EmbeddingCache(self.cache))

    @property
    def store(self) -> ForgettingStore:
        return ForgettingStore(self.database, TombstoneDigester(KeyedDigester(b"k" * 32)))

    @property
    def erasure(self) -> Erasure:
        return Erasure(ErasureStore(self.database), self.copies)

    @property
    def copies(self) -> CacheInvalidator:
        return CacheInvalidator(self.embedder, SessionCache(self.cache), self.cache)


@pytest.fixture
async def stored(
    own_database_url: str, services: ServiceAddresses, worker_id: str
) -> AsyncIterator[Stored]:
    """The numbered Redis database is this process's alone: others tell of the same memory."""
    number = 1 + int(worker_id.removeprefix("gw")) % 15 if worker_id != "master" else 1
    url = f"{services.redis_url}?db={number}"
    database = await Database.open(own_database_url)
    owner = await asyncpg.connect(own_database_url)
    cache = Cache(url, timeout=PATIENCE)
    async with Redis.from_url(url) as redis:
        await redis.flushdb()
        yield Stored(database, owner, redis, cache)
    await cache.aclose()
    await owner.close()
    await database.close()


async def in_tables(owner: asyncpg.Connection[asyncpg.Record], needle: str) -> list[str]:
    """The columns of whatever type in which a row, as text, holds the needle."""
    columns = await owner.fetch(
        "SELECT table_name, column_name FROM information_schema.columns"
        " JOIN information_schema.tables USING (table_schema, table_name)"
        " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    )
    assert len({row["table_name"] for row in columns}) >= 10
    found = []
    for table, column in columns:
        query = f'SELECT count(*) FROM "{table}" WHERE strpos(lower("{column}"::text), $1) > 0'
        if await owner.fetchval(query, needle.lower()):
            found.append(f"{table}.{column}")
    return found


async def in_redis(redis: Redis, *needles: bytes) -> list[bytes]:
    found = []
    async for key in redis.scan_iter(count=1000):
        kind = await redis.type(key)
        value = (
            await redis.get(key) if kind == b"string" else str(await redis.hgetall(key)).encode()
        )
        whole = key + b" " + (value or b"")
        found += [key for needle in needles if needle in whole]
    return found


async def vectors(owner: asyncpg.Connection[asyncpg.Record]) -> list[str]:
    """The stored form of every vector that was made of the memory or of what was said of it."""
    rows = await owner.fetch(
        "SELECT embedding::text FROM memory_items WHERE embedding IS NOT NULL"
        " UNION ALL SELECT embedding::text FROM messages"
    )
    return [row["embedding"] for row in rows]


async def fill(stored: Stored, user_id: str) -> tuple[UUID, UUID]:
    """A memory with every copy that Keepsake makes: the ids of it and of its conversation."""
    chat, turn = uuid4(), uuid4()
    async with stored.database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO conversations (user_id, id, title) VALUES ($1, $2, $3)",
            user_id,
            chat,
            SAID[:80],
        )
        for number, text in enumerate(TEXTS):
            message = await connection.fetchval(
                "INSERT INTO messages (user_id, conversation_id, role, content, correlation_id,"
                " embedding, needs_embedding) VALUES ($1, $2, $3, $4, $5, $6, false) RETURNING id",
                user_id,
                chat,
                "assistant" if number == 1 else "user",
                text,
                turn,
                HalfVector(vector_of(text)),
            )
        item: UUID = await connection.fetchval(
            "INSERT INTO memory_items (user_id, content, type, tags, source_message_id, simhash,"
            " embedding, needs_embedding) VALUES ($1, $2, 'fact', $3, $4, 1, $5, false)"
            " RETURNING id",
            user_id,
            CONTENT,
            [SECRET.lower()],
            message,
            HalfVector(vector_of(to_first_person(CONTENT))),
        )
        await connection.execute(
            "INSERT INTO memory_items (user_id, content, type, summary_of)"
            " VALUES ($1, $2, 'note', $3)",
            user_id,
            f"A sister in {SECRET}, and tea",
            [item],
        )
        await connection.execute(
            "INSERT INTO memory_usage (user_id, item_id) VALUES ($1, $2)", user_id, item
        )
    asked = SAID.split(". ", maxsplit=1)[0] + "."
    await stored.embedder.embed_texts([to_first_person(CONTENT), CONTENT, *TEXTS, asked])
    await stored.embedder.embed_query(mask_names(asked) or "")
    said = tuple(CachedMessage(role="user", content=text) for text in TEXTS)
    state = SessionState(last_position=9, messages=said, goal=SAID)
    await keep(SessionCache(stored.cache), user_id, str(chat), state)
    return item, chat


async def test_nothing_that_is_stored_holds_the_text_or_its_vector(
    stored: Stored, user_id: str
) -> None:
    item, chat = await fill(stored, user_id)
    asked = mask_names(SAID.split(". ", maxsplit=1)[0] + ".") or ""
    cached = [
        vector_of(text).astype("<f4").tobytes()
        for text in (to_first_person(CONTENT), CONTENT, *TEXTS, asked)
    ]
    places = await in_tables(stored.owner, STEM)
    assert {"memory_items.content", "memory_items.search", "messages.search"} <= set(places)
    assert {"messages.content", "conversations.title", "memory_items.tags"} <= set(places)
    made = await vectors(stored.owner)
    assert await in_tables(stored.owner, made[0]) == ["memory_items.embedding"]
    assert await in_tables(stored.owner, made[1]) == ["messages.embedding"]
    assert len(made) == 4
    assert len(await in_redis(stored.redis, SECRET.encode(), *cached)) >= len(set(cached)) + 1

    await stored.store.forget(user_id, [item], USER, NOW)
    assert len(await stored.erasure.erase_due(user_id, NOW + UNDO_TIME)) == 2

    assert await in_tables(stored.owner, STEM) == []
    assert [place for vector in made for place in await in_tables(stored.owner, vector)] == []
    assert await in_redis(stored.redis, SECRET.encode(), *cached) == []
    left = await stored.owner.fetch("SELECT content FROM messages ORDER BY position")
    assert [row["content"] for row in left] == [
        "[forgotten] I like tea.",
        "[forgotten]",
        "[forgotten]",
    ]
    assert await stored.owner.fetchval("SELECT title FROM conversations WHERE id = $1", chat) == (
        "[forgotten] I like tea."
    )
    assert await stored.owner.fetchval("SELECT count(*) FROM memory_usage") == 0


class Meanwhile:
    """Copies of sessions; what else happens as soon as they were dropped for the first time."""

    def __init__(self, sessions: SessionCache, happens: Callable[[], Awaitable[None]]) -> None:
        self._sessions = sessions
        self._happens: Callable[[], Awaitable[None]] | None = happens

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        dropped = await self._sessions.drop(user_id, conversation_id)
        if (happens := self._happens) is not None:
            self._happens = None
            await happens()
        return dropped


async def test_a_turn_that_begins_during_an_erasure_keeps_no_history_of_it(
    stored: Stored, user_id: str
) -> None:
    """It reads the words while they are still there, and ends when they are gone."""
    item, chat = await fill(stored, user_id)
    sessions, stamps = SessionCache(stored.cache), []

    async def a_turn_begins() -> None:
        stamps.append(await sessions.begin(user_id, str(chat)))

    copies = CacheInvalidator(stored.embedder, Meanwhile(sessions, a_turn_begins), stored.cache)
    await stored.store.forget(user_id, [item], USER, NOW)
    await Erasure(ErasureStore(stored.database), copies).erase_due(user_id, NOW + UNDO_TIME)

    [stamp] = stamps
    read = SessionState(last_position=9, messages=(CachedMessage(role="user", content=SAID),))
    assert stamp is not None
    assert not await sessions.save(user_id, str(chat), read, stamp)
    assert await in_redis(stored.redis, SECRET.encode()) == []


async def test_a_conversation_that_tells_of_it_during_its_erasure_leaves_no_copy(
    stored: Stored, user_id: str
) -> None:
    item, _ = await fill(stored, user_id)
    sessions, other = SessionCache(stored.cache), uuid4()
    read = SessionState(last_position=9, messages=(CachedMessage(role="user", content=SAID),))

    async def it_is_told() -> None:
        said = NewMessage("user", SAID, uuid4())
        await DatabaseConversations(stored.database).add_message(user_id, other, said)
        await keep(sessions, user_id, str(other), read)

    copies = CacheInvalidator(stored.embedder, Meanwhile(sessions, it_is_told), stored.cache)
    await stored.store.forget(user_id, [item], USER, NOW)
    await Erasure(ErasureStore(stored.database), copies).erase_due(user_id, NOW + UNDO_TIME)

    assert await in_tables(stored.owner, STEM) == []
    assert await in_redis(stored.redis, SECRET.encode()) == []


async def test_the_worker_learns_whose_time_has_come(stored: Stored, own_database_url: str) -> None:
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    due = ForgettingStore(worker, TombstoneDigester(KeyedDigester(b"k" * 32)))
    for name in ("ada", "bob"):
        item, _ = await fill(stored, name)
        await stored.store.forget(name, [item], USER, NOW + timedelta(hours=int(name == "bob")))
    assert await due.users_with_due_erasures(NOW) == []
    assert await due.users_with_due_erasures(NOW + UNDO_TIME) == ["ada"]
    assert await due.users_with_due_erasures(NOW + 2 * UNDO_TIME) == ["ada", "bob"]
    await stored.erasure.erase_due("ada", NOW + 2 * UNDO_TIME)
    assert await due.users_with_due_erasures(NOW + 2 * UNDO_TIME) == ["bob"]
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with worker.as_user("-") as connection:
            await connection.fetch("SELECT digest FROM tombstones")
    await worker.close()


class NoKeeper:
    async def keep_one_of_many(self, user_id: str, item: NewMemory, origin: Origin) -> SaveOutcome:
        raise AssertionError

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None:
        raise AssertionError

    async def above_cap(self, user_id: str) -> int:
        raise AssertionError


def erasing(stored: Stored, store: PortabilityStore) -> Portability:
    """What erases a user; nothing is imported with it."""
    preparer = MemoryPreparer(WordEmbedder(), OfflineReader(), embedding_timeout=30)
    importing = ExportImporter(
        ImportStore(stored.database), TombstoneDigester(KeyedDigester(b"k" * 32)), preparer
    )
    return Portability(store, NoKeeper(), importing, stored.copies, RelationCache())


async def test_erasing_a_user_leaves_nothing_of_them_and_all_of_others(
    stored: Stored, user_id: str
) -> None:
    item, _ = await fill(stored, user_id)
    await stored.store.forget(user_id, [item], USER, NOW)
    other = f"other-{uuid4().hex}"
    await fill(stored, other)
    before = await _rows_of(stored.owner, other)
    portability = erasing(stored, PortabilityStore(stored.database))
    erased = await portability.erase_everything(user_id)
    assert erased.caches_cleared
    assert (erased.rows["memory_items"], erased.rows["tombstones"]) == (2, 2)
    assert (erased.rows["messages"], erased.rows["conversations"]) == (3, 1)
    assert erased.rows["audit_log"] > 0
    assert await in_tables(stored.owner, user_id) == []
    assert await _rows_of(stored.owner, other) == before
    assert await in_redis(stored.redis, user_id.encode()) == []
    cached = vector_of(CONTENT).astype("<f4").tobytes()
    assert await in_redis(stored.redis, cached) == []
    again = await portability.erase_everything(user_id)
    assert sum(again.rows.values()) == 0


class TurnBefore(PortabilityStore):
    """A turn ends, and its history is cached, as the user's rows are about to go."""

    def __init__(self, stored: Stored, chat: UUID) -> None:
        super().__init__(stored.database)
        self._sessions = SessionCache(stored.cache)
        self._chat = chat

    async def erase_user(self, user_id: str) -> dict[str, int]:
        state = SessionState(last_position=9, messages=(CachedMessage(role="user", content=SAID),))
        assert await keep(self._sessions, user_id, str(self._chat), state)
        return await super().erase_user(user_id)


async def test_a_turn_that_ends_while_a_user_is_erased_leaves_no_copy(
    stored: Stored, user_id: str
) -> None:
    _, chat = await fill(stored, user_id)
    store = TurnBefore(stored, chat)
    portability = erasing(stored, store)
    assert (await portability.erase_everything(user_id)).caches_cleared
    assert await in_redis(stored.redis, user_id.encode()) == []


async def _rows_of(owner: asyncpg.Connection[asyncpg.Record], user_id: str) -> dict[str, int]:
    tables = await owner.fetch(
        "SELECT table_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND column_name = 'user_id'"
    )
    return {
        table: await owner.fetchval(f'SELECT count(*) FROM "{table}" WHERE user_id = $1', user_id)
        for (table,) in tables
    }


@pytest.mark.parametrize(
    "asked",
    [
        "i live in oslo",
        "I live in oslo",
        "I live in Oslo?",
        "user lives in Oslo",
        "The user lives in Oslo.",
        "  i live in oslo!  ",
    ],
)
async def test_what_was_asked_in_the_memorys_own_words_leaves_no_vector(
    stored: Stored, asked: str
) -> None:
    await stored.embedder.embed_query(prepare_query(asked))
    held = vector_of(prepare_query(asked)).astype("<f4").tobytes()
    assert await in_redis(stored.redis, held) != []
    await stored.embedder.forget(cached_forms(["User lives in Oslo"]))
    assert await in_redis(stored.redis, held) == []


def test_vectors_of_the_fake_differ() -> None:
    assert not np.allclose(vector_of(CONTENT), vector_of(SAID))
