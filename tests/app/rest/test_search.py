"""`POST /v1/memory/search`."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from agent.models.offline import OfflineModel
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import MemoryQueryResponse
from tests.agent.turns import Assist
from tests.app.rest.keeping import keep
from tests.app.serving import as_user, make_served, serving

SEARCH = "/v1/memory/search"
KAYAK = "I own a red kayak"


async def ask(client: httpx2.AsyncClient, **wanted: Any) -> dict[str, Any]:
    answer = await client.post(SEARCH, json={"query": "Which kayak is mine?"} | wanted)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_it_answers_as_the_service_interface_says(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)

    found = await ask(client)

    assert set(found) == set(MemoryQueryResponse.model_fields)
    [item] = found["items"]
    assert item["content"] == KAYAK
    assert 0.3 <= item["relevance_score"] <= 1
    assert item["why"]["scores"]["relevance"] == pytest.approx(item["relevance_score"])
    assert found["left_out"] == []


async def test_who_wants_answers_alone_gets_nothing_that_is_only_near(
    client: httpx2.AsyncClient,
) -> None:
    await keep(client, "My wife Lena is a surveyor with the city")
    asked = {"query": "When did my wife Lena and I marry?", "min_score": 0}

    [near] = (await ask(client, **asked))["items"]
    alone = await ask(client, **asked, min_confidence="possible", explain=True)

    assert (near["confidence"], near["answer_score"] < 0.1) == ("related", True)
    assert alone["items"] == []
    assert [each["why"] for each in alone["left_out"]] == ["answer"]


async def test_explain_tells_what_was_left_out(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)
    await keep(client, "I painted the kayak shed in 2019")

    found = await ask(client, explain=True, limit=1)

    assert len(found["items"]) == 1
    assert found["left_out"]
    assert {each["why"] for each in found["left_out"]} <= {"limit", "score"}


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"types": ["fact"]}, 1),
        ({"types": ["decision"]}, 0),
        ({"banks": ["interests"]}, 1),
        ({"banks": ["Health"]}, 0),
        ({"roles": ["assistant"]}, 0),
        ({"min_score": 1}, 0),
        ({"space": "PestIQ"}, 0),
    ],
)
async def test_a_search_is_narrowed(
    client: httpx2.AsyncClient, wanted: dict[str, Any], count: int
) -> None:
    await keep(client, KAYAK, bank="Interests", type="fact")

    assert len((await ask(client, **wanted))["items"]) == count


@pytest.mark.parametrize(
    "wanted",
    [
        {"query": ""},
        {"query": "a\x00b"},
        {"query": "x" * 100_001},
        {"limit": 0},
        {"limit": 101},
        {"limit": "5"},
        {"min_score": 2},
        {"types": ["rumour"]},
        {"banks": ["a\x00"]},
        {"user_id": "somebody"},
    ],
)
async def test_what_is_not_usable_is_refused(
    client: httpx2.AsyncClient, wanted: dict[str, Any]
) -> None:
    answer = await client.post(SEARCH, json={"query": "kayak"} | wanted)

    assert answer.status_code == 422


async def test_memory_that_is_off_says_so(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)
    await client.post("/v1/memory/settings", json={"memory_enabled": False})

    found = await ask(client)

    assert (found["items"], found["off"]) == ([], True)


async def test_above_the_rate_limit_the_answer_says_so(
    *,
    database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    assist: Assist,
    user_id: str,
) -> None:
    """001: an empty answer with its flag, and no error."""
    few = settings.model_copy(update={"memory_queries_per_minute": 1})
    memory = make_memory(database, embedder, cache, counter, few)
    async with serving(make_served(few, memory, assist(OfflineModel()))) as client:
        client.headers.update(as_user(user_id))
        await keep(client, KAYAK)

        assert (await ask(client))["items"]
        limited = await ask(client)

    await memory.aclose()
    assert (limited["items"], limited["rate_limited"]) == ([], True)
