from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import structlog

from memory.actions.entries import MemoryChanges
from memory.actions.import_rows import ForeignMemories
from memory.cache import Cache, EmbeddingCache
from memory.config import Settings
from memory.embeddings.cached import CachedEmbedder, content_hash
from memory.embeddings.protocol import Embedding
from memory.factory import make_memory
from memory.ingestion.extraction import ExtractionInput
from memory.service import MemoryService
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.tokens import TokenCounter
from memory.types import (
    MemoryMode,
    MemoryQueryRequest,
    MemoryQueryResponse,
    NewMemory,
    Origin,
    StoredMemory,
)
from tests.memory.exports import brought, text_of
from tests.memory.fakes import BrokenEmbedder, WordEmbedder

SAID_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def ask(memory: MemoryService, user_id: str, query: str) -> list[str]:
    response = await memory.recall(MemoryQueryRequest(user_id=user_id, query=query))
    assert not response.error
    return [item.content for item in response.items]


async def test_what_was_remembered_is_recalled(memory: MemoryService, user_id: str) -> None:
    await memory.remember_all(
        user_id,
        [
            NewMemory(content="User prefers uv over pip for Python dependencies"),
            NewMemory(content="The cat sleeps on the sofa"),
        ],
    )
    recalled = await ask(memory, user_id, "Which Python package manager do I prefer?")
    assert recalled == ["User prefers uv over pip for Python dependencies"]
    assert await ask(memory, user_id, "How far is the moon from the earth?") == []


async def test_users_are_apart(memory: MemoryService, user_id: str) -> None:
    await memory.remember(user_id, NewMemory(content="My sister is called Zoë"))
    other = f"{user_id}-other"
    assert await ask(memory, other, "What is my sister called?") == []
    assert await memory.list_recent(other) == []
    assert [kept.content for kept in await memory.list_recent(user_id)] == [
        "My sister is called Zoë"
    ]


async def test_recall_is_as_of_now(memory: MemoryService, user_id: str) -> None:
    ends = datetime.now(UTC) + timedelta(hours=1)
    await memory.remember(user_id, NewMemory(content="I park on level three", expires_at=ends))
    request = MemoryQueryRequest(user_id=user_id, query="Where do I park?", min_score=0)
    assert len((await memory.recall(request)).items) == 1
    assert (await memory.recall(request, now=ends)).items == []


async def test_a_budget_and_a_correlation_are_handed_on(
    memory: MemoryService, user_id: str
) -> None:
    await memory.remember(user_id, NewMemory(content="I park on level three " * 20))
    correlation_id = uuid4()
    request = MemoryQueryRequest(user_id=user_id, query="Where do I park?", min_score=0)
    with structlog.testing.capture_logs() as logs:
        response = await memory.recall(request, correlation_id=correlation_id, token_budget=20)
    assert 0 < response.token_count <= 20
    assert response.truncated
    assert [each["correlation_id"] for each in logs if each["event"] == "recall"] == [
        str(correlation_id)
    ]


async def test_above_the_rate_limit_it_is_empty_and_flagged(
    database: Database,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    user_id: str,
) -> None:
    limited = settings.model_copy(update={"memory_queries_per_minute": 1})
    memory = make_memory(database, BrokenEmbedder(), cache, counter, limited)
    await memory.remember(user_id, NewMemory(content="I prefer uv"))
    request = MemoryQueryRequest(user_id=user_id, query="uv", min_score=0)
    assert len((await memory.recall(request)).items) == 1
    assert await memory.recall(request) == MemoryQueryResponse(rate_limited=True)
    other = MemoryQueryRequest(user_id=f"{user_id}-other", query="uv")
    assert not (await memory.recall(other)).rate_limited


@pytest.mark.parametrize("whose", ["own", "other"])
async def test_missing_vectors_are_filled_for_one_user(
    memory: MemoryService, database: Database, user_id: str, whose: str
) -> None:
    bare = EmbeddedMemory(NewMemory(content="I prefer uv"), None, None)
    await MemoryStore(database).save(user_id, bare)
    await memory.conversations.add_message(user_id, uuid4(), NewMessage("user", "hi", uuid4()))
    filled = await memory.embed_waiting(user_id if whose == "own" else f"{user_id}-other")
    assert filled == (2 if whose == "own" else 0)


@pytest.fixture
def capped(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings
) -> MemoryService:
    """A memory that holds at most three."""
    three = settings.model_copy(update={"memory_cap": 3})
    return make_memory(database, WordEmbedder(), cache, counter, three)


FACTS = (
    "My neighbour Ann keeps bees",
    "I play the cello in an orchestra",
    "My bicycle is green",
    "I am allergic to peanuts",
    "My sister works as a nurse in Oslo",
    "We have an old canoe in the shed",
    "I am learning Norwegian",
    "My dog is called Rex",
    "I was born in Lisbon",
    "Our team uses PostgreSQL",
)


async def test_remembering_keeps_the_cap_and_says_what_came_of_it(
    capped: MemoryService, database: Database, user_id: str
) -> None:
    turn = Origin("assistant", uuid4())
    for fact in FACTS[:5]:
        new = NewMemory(content=fact)
        assert (await capped.remember(user_id, new, turn)).kind == "kept"
    assert len(await capped.list_recent(user_id)) == 3
    trims = [each for each in await AuditStore(database).read(user_id) if each.action == "trimmed"]
    assert {(each.actor, each.correlation_id) for each in trims} == {
        ("upkeep", turn.correlation_id)
    }


async def test_what_was_trimmed_comes_back_and_another_one_goes(
    capped: MemoryService, database: Database, user_id: str
) -> None:
    pinned = NewMemory(content="My dentist is Ann Bee", pinned=True, importance=0.0)
    pin = (await capped.remember(user_id, pinned)).item
    for fact in FACTS[:3]:
        await capped.remember(user_id, NewMemory(content=fact))
    [trim] = [each for each in await AuditStore(database).read(user_id) if each.action == "trimmed"]
    assert trim.item_id is not None

    back = await capped.restore(user_id, trim.item_id, Origin("user"))

    assert (back.id, back.deleted_at, back.manually_saved) == (trim.item_id, None, True)
    assert len(await capped.list_recent(user_id)) == 4
    await capped.remember(user_id, NewMemory(content=FACTS[3]))
    living = await capped.list_recent(user_id)
    assert len(living) == 3
    assert {pin, back} < set(living)
    assert await capped.restore(user_id, back.id, Origin("user")) == back
    done = await AuditStore(database).of_item(user_id, back.id)
    assert [each.action for each in done] == ["kept", "trimmed", "untrimmed"]


async def test_ten_writers_at_once_keep_the_cap(capped: MemoryService, user_id: str) -> None:
    await asyncio.gather(*(capped.remember(user_id, NewMemory(content=fact)) for fact in FACTS))
    assert len(await capped.list_recent(user_id)) == 3


CHAT = (
    "My sister Maria lives in Oslo.",
    "What is the capital of Norway?",
    "I work as a nurse at a hospital in Bergen.",
    "I prefer tea over coffee",
    "I prefer tea over coffee.",
    "Thanks!",
    "Never schedule meetings for me on Fridays.",
    "I live in Bergen with my dog.",
    "I live in Trondheim with my dog now.",
    "I am allergic to peanuts.",
    "I decided to learn Norwegian this year.",
)


async def test_a_chat_that_is_learned_from_twice_is_learned_from_once(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings, user_id: str
) -> None:
    memory = make_memory(database, WordEmbedder(), cache, counter, settings)
    turns = [NewMessage("user", text, uuid4(), needs_learning=True) for text in CHAT]
    conversation_id = uuid4()

    async def learn_all() -> list[StoredMemory]:
        for turn in turns:
            await memory.conversations.add_message(user_id, conversation_id, turn)
            said = ExtractionInput(text=turn.content, said_at=SAID_AT, message_id=turn.id)
            origin = Origin("learning", turn.correlation_id)
            await memory.learn(user_id, "default", said, origin=origin)
        return await memory.list_recent(user_id)

    first = await learn_all()
    assert len(first) > 4
    assert not [each for each in first if each.content.startswith("I live in Bergen")]
    async with database.as_user(user_id) as connection:
        await connection.execute("UPDATE messages SET needs_learning = true")
    assert await learn_all() == first


async def test_what_waits_is_learned_and_the_cap_kept(
    capped: MemoryService, database: Database, user_id: str
) -> None:
    for text in FACTS[:5]:
        new = NewMessage("user", text, uuid4(), needs_learning=True)
        await capped.conversations.add_message(user_id, uuid4(), new, "work")
    assert await capped.learn_waiting(user_id) == 5
    assert 0 < await MemoryStore(database).count(user_id, "work") <= 3
    assert await capped.learn_waiting(user_id) == 0


async def test_what_is_older_than_the_write_path_is_made_ready(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    old = EmbeddedMemory(NewMemory(content="I live in Oslo"), None, None)
    await MemoryStore(database).save(user_id, old)
    assert await memory.relearn(user_id) == 1
    assert await memory.relearn(user_id) == 0
    assert (await memory.remember(user_id, NewMemory(content="i live in Oslo!"))).kind == "repeated"


class Heard(WordEmbedder):
    """Remembers the questions too."""

    async def embed_query(self, text: str) -> Embedding:
        self.texts.append(text)
        return await super().embed_query(text)


@pytest.fixture
def heard(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings
) -> tuple[MemoryService, Heard]:
    """A memory that may be asked once a minute, and its embedder."""
    embedder = Heard()
    limited = settings.model_copy(update={"memory_queries_per_minute": 1})
    return make_memory(database, embedder, cache, counter, limited), embedder


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_where_memory_is_off_nothing_of_a_question_is_embedded_cached_or_logged(
    heard: tuple[MemoryService, Heard], user_id: str, mode: MemoryMode
) -> None:
    memory, embedder = heard
    await memory.modes.change(user_id, "home", Origin(), memory_mode=mode)
    request = MemoryQueryRequest(user_id=user_id, query="Where do I live?", space="home")
    with structlog.testing.capture_logs() as logs:
        responses = [await memory.recall(request) for _ in range(2)]
    if mode == "off":
        assert responses == [MemoryQueryResponse(off=True)] * 2
        assert (embedder.texts, logs) == ([], [])
    else:
        assert not any(response.off for response in responses)
        assert embedder.texts == ["Where do I live?"]


async def test_what_a_control_is_given_leaves_no_vector_in_the_cache(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings, user_id: str
) -> None:
    embedder = CachedEmbedder(WordEmbedder(), EmbeddingCache(cache))
    memory = make_memory(database, embedder, cache, counter, settings)
    kept = await memory.remember(user_id, NewMemory(content="I live in Oslo"))
    words = f"that {user_id} lives in oslo"
    await memory.entries.find_matching(user_id, "default", words)
    await memory.entries.about(user_id, "default", words)
    await memory.entries.edit(
        user_id, kept.item.id, MemoryChanges(content=f"{words} now"), Origin()
    )
    await memory.forgetting.forget(user_id, [kept.item.id], Origin(), for_good=True)
    await memory.forgetting.prove(user_id, kept.item.id, words)
    command = f"forget {words}"
    said = NewMessage("user", command, uuid4())
    await memory.conversations.add_message(user_id, uuid4(), said)
    assert await memory.embed_waiting(user_id) == 1
    texts = [words, words.removeprefix("that "), f"{words} now", command]
    hashes = [
        content_hash("words", WordEmbedder.dimensions, text, asks=asks)
        for text in texts
        for asks in (False, True)
    ]
    assert await EmbeddingCache(cache).get_many(hashes) == {}


async def test_an_export_brought_back_changes_nothing(memory: MemoryService, user_id: str) -> None:
    await memory.remember(user_id, NewMemory(content="I moved to Bergen yesterday"))
    told = ExtractionInput(text="I love hiking in the mountains.", said_at=SAID_AT)
    await memory.learn(user_id, "default", told, origin=Origin("learning"))
    wish = NewMemory(content="I prefer uv over pip", manually_saved=True)
    for _ in range(2):
        await memory.remember(user_id, wish)
    before = await memory.list_recent(user_id)
    text = await text_of(memory.portability, user_id)
    for _ in range(2):
        imported = await brought(memory.portability, user_id, text)
        assert (imported.kept, imported.repeated) == (0, 3)
        assert await memory.list_recent(user_id) == before


async def test_an_export_brought_elsewhere_is_as_it_was(
    memory: MemoryService, user_id: str
) -> None:
    told = ExtractionInput(text="I love hiking in the mountains.", said_at=SAID_AT)
    await memory.learn(user_id, "default", told, origin=Origin("learning"))
    await memory.remember(user_id, NewMemory(content="I prefer uv over pip", manually_saved=True))
    text = await text_of(memory.portability, user_id)
    other = f"{user_id}-other"
    for _ in range(2):
        await brought(memory.portability, other, text)
    same = {"content", "importance", "bank", "tags", "type", "created_at", "occurred_at", "pinned"}
    here, there = [
        [item.model_dump(include=same) for item in await memory.list_recent(whose)]
        for whose in (user_id, other)
    ]
    assert there == here
    assert {item.repeat_count for item in await memory.list_recent(other)} == {0}


async def test_an_import_keeps_the_cap(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings, user_id: str
) -> None:
    capped = settings.model_copy(update={"memory_cap": 3, "prune_batch_size": 1})
    memory = make_memory(database, WordEmbedder(), cache, counter, capped)
    names = ("Rex", "Fido", "Bella", "Luna", "Max")
    items = [NewMemory(content=f"My neighbour {name} keeps bees") for name in names]
    await memory.portability.import_(user_id, ForeignMemories(items), Origin("import"))
    assert len(await memory.list_recent(user_id)) == 3
