"""Specification 001, functional requirements FR-001 to FR-010, where no scenario covers them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from agents.testing import ScriptedModel
from pydantic import ValidationError
from redis.asyncio import Redis
from structlog.testing import capture_logs

from agent.assistant import Assistant
from agent.turn.events import TurnOpened
from memory.config import OPENAI_EMBEDDING_DIMENSIONS, OPENAI_EMBEDDING_MODEL, Settings
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, MemoryQueryRequest, NewMemory
from migrations.runner import migrate
from migrations.scratch import scratch_database
from tests.acceptance.conftest import Parts
from tests.acceptance.embedding_server import EmbeddingServer
from tests.agent.scripts import asks_memory, calls, says, tool_named, tool_output
from tests.agent.turns import Assist, assists, read_messages, take_turn


@pytest.fixture
async def redis(services: ServiceAddresses) -> AsyncIterator[Redis]:
    async with Redis.from_url(services.redis_url) as client:
        yield client


async def test_fr_001_every_message_has_user_correlation_id_and_time(
    offline: Assistant, database: Database, user_id: str, conversation: UUID
) -> None:
    """Both messages of a turn carry its correlation id, and every turn has one of its own."""
    ids = []
    for text in ("remember that my bike is green", "What colour is my bike?", "thanks"):
        told = await take_turn(offline, user_id, conversation, text)
        ids += [event.correlation_id for event in told.events if isinstance(event, TurnOpened)]
    rows = await read_messages(database, user_id)
    assert [row["correlation_id"] for row in rows] == [each for each in ids for _ in range(2)]
    assert len(set(ids)) == 3
    assert all(row["user_id"] == user_id and row["created_at"] is not None for row in rows)
    async with database.as_user(user_id) as connection:
        [kept] = await connection.fetch("SELECT * FROM conversations")
    assert kept["updated_at"] >= rows[-1]["created_at"] > kept["created_at"]


async def test_fr_002_the_four_types_are_kept_and_no_other(
    memory: MemoryService, user_id: str
) -> None:
    """fact, preference, decision and note are kept with their type; an unknown type is refused."""
    for kind in ("fact", "preference", "decision", "note"):
        new = NewMemory.model_validate({"content": f"My {kind}", "type": kind})
        assert (await memory.remember(user_id, new)).item.type == kind
    with pytest.raises(ValidationError):
        NewMemory.model_validate({"content": "My rumour", "type": "rumour"})


async def test_fr_003_query_memory_has_the_schema_of_the_contract(
    assist: Assist, user_id: str, conversation: UUID
) -> None:
    """The tool's parameters are query and types, and nothing by which a user could be named."""
    model = ScriptedModel([says("Hello.")])
    await take_turn(assist(model), user_id, conversation, "Hello there")
    schema = tool_named(model.calls[0], "query_memory").params_json_schema
    assert set(schema["properties"]) == {"query", "types", "include_messages"}
    assert schema["properties"]["query"]["type"] == "string"
    assert str(schema).count("'preference', 'decision', 'note'") == 1
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("tool", ["query_memory", "remember"])
async def test_fr_005_identity_is_never_taken_from_the_models_arguments(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID, tool: str
) -> None:
    """A model that names another user in a tool call reads and writes nothing of that user."""
    victim = f"user-{uuid4().hex[:12]}"
    await memory.remember(victim, NewMemory(content="My safe opens with a brass key"))
    words = {"query_memory": {"query": "my safe"}, "remember": {"content": "My safe is open"}}
    model = ScriptedModel(
        [
            calls(tool, user_id=victim, context={"user_id": victim}, **words[tool]),
            asks_memory("my safe"),
            says("Nothing."),
        ]
    )
    told = await take_turn(assist(model), user_id, conversation, "What opens my safe?")
    assert told.error is None
    assert "brass" not in str(model.calls[-1].input)
    assert "brass" not in str(told.memories)
    assert [item.content for item in await memory.list_recent(victim)] == [
        "My safe opens with a brass key"
    ]


async def test_fr_005_a_conversation_id_of_another_user_opens_nothing(
    assist: Assist, database: Database, user_id: str, conversation: UUID
) -> None:
    """Naming another user's conversation gives an empty one of one's own, by cache and database."""
    model = ScriptedModel([says("Noted."), says("Hello.")])
    assistant = assist(model)
    await take_turn(assistant, user_id, conversation, "My safe opens with a brass key")
    intruder = f"user-{uuid4().hex[:12]}"
    await take_turn(assistant, intruder, conversation, "What did I say?")
    assert "brass" not in str(model.calls[1].input)
    assert len(await read_messages(database, intruder)) == 2
    assert len(await read_messages(database, user_id)) == 2


async def test_fr_006_the_token_budget_is_configurable(
    parts: Parts, counter: TokenCounter, user_id: str
) -> None:
    """TOKEN_BUDGET bounds what is injected; 1,000 is the default."""
    assert Settings.model_fields["token_budget"].default == 1000
    memory = parts.memory(token_budget=25)
    bikes = [f"My bike number {n} is green and stands in the cellar" for n in range(6)]
    await memory.remember_all(user_id, [NewMemory(content=each) for each in bikes])
    found = await memory.recall(MemoryQueryRequest(user_id=user_id, query="Where is my bike?"))
    assert 0 < found.token_count <= 25
    assert sum(counter.count(item.content) for item in found.items) == found.token_count
    assert found.truncated is True


async def test_fr_006_min_relevance_and_max_results_are_configurable(
    memory: MemoryService, user_id: str
) -> None:
    """A memory below the threshold is left out; no more than the limit come, all are counted."""
    bikes = [f"My bike number {n} is green" for n in range(6)]
    await memory.remember_all(user_id, [NewMemory(content=each) for each in bikes])
    request = MemoryQueryRequest(user_id=user_id, query="What colour is my bike?", limit=2)
    found = await memory.recall(request)
    assert (len(found.items), found.total_count) == (2, 6)
    strict = await memory.recall(request.model_copy(update={"min_score": 1.0}))
    assert (strict.items, strict.total_count) == ([], 0)


async def test_fr_008_each_recall_is_logged_once_without_its_words(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    """One structured line: user, correlation id, hash of the query, count, latency; no text."""
    await memory.remember(user_id, NewMemory(content="My bike is green"))
    query = "What colour is my bike?"
    model = ScriptedModel([asks_memory(query), says("Green.")])
    with capture_logs() as logs:
        told = await take_turn(assist(model), user_id, conversation, query)
    [line] = [log for log in logs if log["event"] == "recall"]
    [opened] = [event for event in told.events if isinstance(event, TurnOpened)]
    assert line["user_id"] == user_id
    assert line["correlation_id"] == str(opened.correlation_id)
    assert len(line["query_hash"]) >= 16
    assert not hashlib.sha256(query.encode()).hexdigest().startswith(line["query_hash"]), "guessed"
    assert line["result_count"] == len(tool_output(model.calls[1])["memories"]) == 1
    assert line["latency_ms"] > 0
    assert "bike" not in str(logs)


@pytest.mark.usefixtures("own_database_url")
async def test_fr_008_a_failed_recall_is_logged_too(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    """A recall that fails closed leaves its line as well."""
    await database.close()
    with capture_logs() as logs:
        await memory.recall(MemoryQueryRequest(user_id=user_id, query="my bike"))
    [line] = [log for log in logs if log["event"] == "recall"]
    assert (line["error"], line["result_count"]) == (True, 0)


@pytest.mark.parametrize(
    ("said", "replied"),
    [
        pytest.param(
            "I ride bike {user_id}",
            "Bike {user_id} it is.",
            marks=pytest.mark.xfail(strict=True, reason="the id is taken for a code"),
        ),
        ("I ride a green bike", "A green bike it is."),
    ],
)
async def test_fr_009_messages_are_embedded_by_openais_model_after_the_reply(
    services: ServiceAddresses,
    parts: Parts,
    user_id: str,
    conversation: UUID,
    *,
    said: str,
    replied: str,
) -> None:
    """Both messages of a turn get a text-embedding-3-small vector of 1,536 dimensions, asked for
    after the reply was out."""
    profile = EmbeddingModel(OPENAI_EMBEDDING_MODEL, OPENAI_EMBEDDING_DIMENSIONS)
    async with scratch_database(services.database_url, prefix="test_openai") as url:
        await migrate(url, profile)
        database = await Database.open(url)
        server = EmbeddingServer(profile.dimensions)
        parts = replace(parts, database=database)
        memory = parts.memory(embedder=parts.embedder_of(server))
        said, replied = (each.format(user_id=user_id) for each in (said, replied))
        async with assists(memory, parts.cache) as make:
            assistant = make(ScriptedModel([says(replied)]))
            async for _ in assistant.answer(user_id, conversation, said):
                assert server.requests == []
        await memory.embed_waiting(user_id)  # what was being learned from waits for the next run
        rows = await read_messages(database, user_id)
        await database.close()
    assert {*server.texts} == {said, replied}
    assert server.requests[0]["model"] == "text-embedding-3-small"
    assert [row["embedding_model"] for row in rows] == ["text-embedding-3-small"] * 2
    assert [len(row["embedding"].to_list()) for row in rows] == [1536, 1536]
    assert not any(row["needs_embedding"] for row in rows)


async def test_fr_010_session_state_is_in_redis_under_the_keys_of_001(
    assist: Assist, memory: MemoryService, redis: Redis, user_id: str, conversation: UUID
) -> None:
    """`session:{user_id}:{conversation_id}` is a hash of last messages and goal, for 24 hours."""
    model = ScriptedModel([says("Green."), says("Yours.")])
    assistant = assist(model)
    await take_turn(assistant, user_id, conversation, "What colour is it?")
    await take_turn(assistant, user_id, conversation, "Whose bike?")
    name = f"session:{user_id}:{conversation}"
    state = await redis.hgetall(name)
    assert all(word in str(state[b"messages"]) for word in ("Green.", "Whose bike?"))
    assert state[b"goal"] == b"Whose bike?"
    assert 24 * 3600 - 60 < await redis.ttl(name) <= 24 * 3600


async def test_fr_010_rate_limit_and_embedding_cache_have_their_keys_and_times(
    parts: Parts, redis: Redis, user_id: str
) -> None:
    """`rate_limit:{user_id}` lives 60 seconds, `embedding_cache:{content_hash}` seven days."""
    memory = parts.memory(memory_queries_per_minute=10)
    await memory.recall(MemoryQueryRequest(user_id=user_id, query=f"bike {user_id}"))
    assert await redis.get(f"rate_limit:{user_id}") == b"1"
    assert 0 < await redis.ttl(f"rate_limit:{user_id}") <= 60
    keys = [key async for key in redis.scan_iter("embedding_cache:*", count=1000)]
    lives = [await redis.ttl(key) for key in keys]
    assert keys
    assert all(0 < each <= 7 * 24 * 3600 for each in lives)
    assert max(lives) > 7 * 24 * 3600 - 600
