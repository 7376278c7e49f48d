from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import httpx2
import numpy as np
import pytest
from pydantic import SecretStr

from memory.cache import Cache
from memory.circuit_breaker import make_circuit_breakers
from memory.config import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    Settings,
)
from memory.embeddings.factory import choose_embedding_model, make_embedder, require_configured
from memory.errors import InvalidSettings
from memory.factory import make_memory
from memory.metrics import MemoryMetrics
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, MemoryQueryRequest
from tests.memory.fakes import WordEmbedder

LOCAL = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)
OPENAI = EmbeddingModel(OPENAI_EMBEDDING_MODEL, OPENAI_EMBEDDING_DIMENSIONS)
SHORT = EmbeddingModel(OPENAI_EMBEDDING_MODEL, 512)
OTHER: dict[str, Any] = {"embedding_model": "other"}
KEY = {"openai_api_key": SecretStr("sk-test")}
SERVER = {"openai_base_url": "http://localhost"}


def with_fields(settings: Settings, **fields: Any) -> Settings:
    return settings.model_copy(update=fields)


CHOICES: list[tuple[dict[str, Any], EmbeddingModel | None, EmbeddingModel]] = [
    ({}, None, LOCAL),
    (KEY, None, OPENAI),
    # A server of one's own may only chat, whether it wants a key or not.
    (SERVER, None, LOCAL),
    (SERVER | KEY, None, LOCAL),
    (SERVER | KEY, OPENAI, OPENAI),
    (SERVER | {"embedding_model": OPENAI_EMBEDDING_MODEL}, None, OPENAI),
    # A key that comes later changes the chat model alone, and so does one that goes.
    (KEY, LOCAL, LOCAL),
    ({}, OPENAI, OPENAI),
    ({"embedding_dimensions": 384} | KEY, LOCAL, LOCAL),
    ({"embedding_dimensions": 512} | KEY, None, SHORT),
    ({"embedding_dimensions": 512} | KEY, OPENAI, SHORT),
    ({"embedding_dimensions": 512} | KEY, SHORT, SHORT),
    ({"embedding_dimensions": 384}, None, LOCAL),
    # What the settings name comes before what the database was made for.
    ({"embedding_model": LOCAL_MODEL} | KEY, OPENAI, LOCAL),
    ({"embedding_model": OPENAI_EMBEDDING_MODEL}, LOCAL, OPENAI),
    (OTHER | {"embedding_dimensions": 768}, None, EmbeddingModel("other", 768)),
    (OTHER, None, EmbeddingModel("other", 1536)),
]


def test_which_model_is_wanted(settings: Settings) -> None:
    assert [
        (fields, stored, got)
        for fields, stored, wanted in CHOICES
        if (got := choose_embedding_model(with_fields(settings, **fields), stored)) != wanted
    ] == []


@pytest.mark.parametrize("fields", [{}, {"embedding_model": LOCAL_MODEL} | KEY])
def test_the_local_model_has_one_length(settings: Settings, fields: dict[str, Any]) -> None:
    wrong = with_fields(settings, embedding_dimensions=1536, **fields)
    with pytest.raises(InvalidSettings, match=r"EMBEDDING_DIMENSIONS.* has 384"):
        choose_embedding_model(wrong, None)


class Server:
    """Answers with the same vector for every text; keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        count = len(json.loads(request.content)["input"])
        vector = [1.0] + [0.0] * (OPENAI_EMBEDDING_DIMENSIONS - 1)
        entries = [
            {"object": "embedding", "index": index, "embedding": vector} for index in range(count)
        ]
        return httpx2.Response(200, json={"object": "list", "model": "m", "data": entries})


@pytest.mark.parametrize("key", [None, SecretStr("sk-mine")])
async def test_a_model_with_a_server_is_asked_once(
    cache: Cache, counter: TokenCounter, settings: Settings, key: SecretStr | None
) -> None:
    server, text = Server(), uuid4().hex
    given = with_fields(settings, openai_base_url="http://own.example/v1", openai_api_key=key)
    embedder = make_embedder(OPENAI, given, cache, counter, httpx2.MockTransport(server))
    assert (embedder.model, embedder.dimensions) == (OPENAI.name, OPENAI.dimensions)
    first, again = await embedder.embed_query(text), await embedder.embed_query(text)
    np.testing.assert_array_equal(first, again)
    await embedder.aclose()
    [request] = server.requests
    assert request.url.host == "own.example"
    expected = "Bearer sk-mine" if key else "Bearer none"
    assert request.headers["authorization"] == expected


class Connections(httpx2.MockTransport):
    closed = False

    async def aclose(self) -> None:
        self.closed = True


async def test_a_closed_embedder_has_given_its_connections_back(
    cache: Cache, counter: TokenCounter, settings: Settings
) -> None:
    connections = Connections(Server())
    guard = make_circuit_breakers(settings, OPENAI, cache, MemoryMetrics()).of("embedder")
    embedder = make_embedder(OPENAI, settings, cache, counter, connections, guard=guard)
    await embedder.embed_query(uuid4().hex)
    assert not connections.closed
    await embedder.aclose()
    assert connections.closed


async def test_the_local_model_needs_no_network(
    cache: Cache, counter: TokenCounter, settings: Settings
) -> None:
    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise AssertionError

    embedder = make_embedder(LOCAL, settings, cache, counter, httpx2.MockTransport(refuse))
    assert (embedder.model, embedder.dimensions) == (LOCAL.name, LOCAL.dimensions)
    assert (await embedder.embed_query(uuid4().hex)).shape == (LOCAL_DIMENSIONS,)
    await embedder.aclose()


async def test_the_limits_are_the_settings(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings, user_id: str
) -> None:
    given = with_fields(settings, memory_queries_per_minute=2)
    memory = make_memory(database, WordEmbedder(), cache, counter, given)
    request = MemoryQueryRequest(user_id=user_id, query="uv")
    limited = [(await memory.recall(request)).rate_limited for _ in range(4)]
    assert limited == [False, False, True, True]


@pytest.mark.parametrize("server", [KEY, SERVER])
def test_texts_go_only_to_a_server_that_was_named(
    settings: Settings, server: dict[str, Any]
) -> None:
    require_configured(LOCAL, settings)
    require_configured(OPENAI, with_fields(settings, **server))
    with pytest.raises(InvalidSettings, match=f"run: python -m app reembed --model {LOCAL_MODEL}"):
        require_configured(OPENAI, settings)
    named = with_fields(settings, embedding_model=OPENAI.name)
    with pytest.raises(InvalidSettings, match="or take EMBEDDING_MODEL out"):
        require_configured(OPENAI, named)


@pytest.mark.parametrize("server", [{}, KEY, SERVER])
def test_vectors_of_a_model_that_is_gone_are_to_be_made_anew(
    settings: Settings, server: dict[str, Any]
) -> None:
    given, gone = with_fields(settings, **server), EmbeddingModel("all-MiniLM-L6-v2-int8", 384)
    with pytest.raises(InvalidSettings, match=f"run: python -m app reembed --model {LOCAL_MODEL}"):
        require_configured(gone, given)
