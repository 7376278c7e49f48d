from __future__ import annotations

from dataclasses import replace

import httpx2
import pytest

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.limits import make_rate_limits
from tests.app.serving import as_user, serving

ORIGIN = "https://notes.example.org"


def listing(served: ApiServices, **changed: object) -> ApiServices:
    settings = served.settings.model_copy(update=changed)
    return replace(served, settings=settings, limits=make_rate_limits(settings))


async def test_a_listed_origin_may_use_a_key_but_no_cookie(served: ApiServices) -> None:
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, idempotency-key, mcp-protocol-version, "
        "mcp-method, mcp-name, mcp-session-id",
    }
    async with serving(listing(served, cors_origins=(ORIGIN,))) as client:
        asking = await client.options("/v1/chat", headers=asked)
        answer = await client.get("/v1/me", headers={"Origin": ORIGIN, **as_user("ada")})
        problem = await client.get("/v1/me", headers={"Origin": ORIGIN})
        other = await client.get("/v1/me", headers={"Origin": "https://evil.example.org"})
    assert asking.status_code == 200
    assert "authorization" in asking.headers["access-control-allow-headers"].lower()
    told = answer.headers["access-control-expose-headers"].lower()
    assert {"etag", "location", "content-disposition"} <= set(told.split(", "))
    for each in (asking, answer, problem):
        assert each.headers["access-control-allow-origin"] == ORIGIN
        assert "access-control-allow-credentials" not in each.headers
    assert "access-control-allow-origin" not in other.headers


async def test_above_its_limit_a_user_is_told_when_to_come_back(
    served: ApiServices, user_id: str
) -> None:
    async with serving(listing(served, api_requests_per_minute=2)) as client:
        client.headers.update(as_user(user_id))
        statuses = [(await client.get("/v1/me")).status_code for _ in range(2)]
        answer = await client.get("/v1/me")
        other = await client.get("/v1/me", headers=as_user(f"{user_id}-other"))
        alive = await client.get("/healthz")
    assert statuses == [200, 200]
    assert answer.status_code == 429
    assert answer.json()["type"] == "urn:keepsake:too-many-requests"
    assert 1 <= int(answer.headers["retry-after"]) <= 30
    assert other.status_code == alive.status_code == 200


async def test_mcp_is_counted_with_the_rest(served: ApiServices, user_id: str) -> None:
    async with serving(listing(served, api_requests_per_minute=1)) as client:
        client.headers.update(as_user(user_id))
        await client.get("/v1/me")
        answer = await client.post("/mcp", json={})
    assert answer.status_code == 429


def test_what_is_described_has_the_problems(served: ApiServices) -> None:
    document = make_application(served).openapi()
    assert set(document["components"]["schemas"]["Problem"]["required"]) >= {"type", "status"}


def test_the_description_reads_well(served: ApiServices) -> None:
    """Names without a module in them, and words for whatever has a name."""
    document = make_application(served).openapi()
    schemas, paths = document["components"]["schemas"], document["paths"]
    asked = [each for path in paths.values() for each in path.values()]
    parameters = [each for operation in asked for each in operation.get("parameters", ())]

    assert [name for name in schemas if "_" in name] == []
    assert [name for name, told in schemas.items() if not told.get("description")] == []
    assert [each["operationId"] for each in asked if "__" in each["operationId"]] == []
    assert [each["summary"] for each in asked if len(each["summary"]) > 100] == []
    assert [each["operationId"] for each in asked if not each.get("description")] == []
    assert [each["name"] for each in parameters if not each.get("description")] == []
    users_own = [each for path in paths if path.startswith("/v1") for each in paths[path].values()]
    always = {"401", "403", "422", "429", "503"}
    assert [each["operationId"] for each in users_own if not always <= set(each["responses"])] == []


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
async def test_no_page_of_the_framework_is_served(anyone: httpx2.AsyncClient, path: str) -> None:
    assert (await anyone.get(path)).status_code == 404


async def test_messages_of_the_chat_have_a_limit_of_their_own(
    served: ApiServices, user_id: str
) -> None:
    few = listing(served, chats_per_minute=1)
    async with serving(few) as client:
        client.headers.update(as_user(user_id))
        first = await client.post("/v1/chat", json={"message": "Hello there"})
        second = await client.post("/v1/chat", json={"message": "And again"})
        other = await client.get("/v1/me")
    await few.chats.aclose()
    assert first.status_code == other.status_code == 200
    assert second.status_code == 429
    assert 1 <= int(second.headers["retry-after"]) <= 60


@pytest.mark.parametrize("path", ["/v1/me/", "/memory/", "/v1/memory/entries/", "/healthz/"])
async def test_nobody_is_sent_to_a_host_of_the_requests_choice(
    anyone: httpx2.AsyncClient, path: str
) -> None:
    answer = await anyone.get(path, headers={"Host": "evil.example"})
    assert "location" not in answer.headers
    assert answer.status_code in {401, 404}
