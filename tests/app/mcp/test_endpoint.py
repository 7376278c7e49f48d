"""MCP over HTTP, within the application that REST and the web are in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.api.auth.modes import LocalIdentifier
from app.api.auth.sessions import SameSiteIdentifier
from app.api.dependencies import ApiServices
from app.api.limits import make_rate_limits
from memory.config import Settings
from memory.service import MemoryService
from tests.app.mcp.conftest import keep
from tests.app.serving import URL, as_user, serving

MCP = f"{URL}/mcp"
HEADERS = {"Accept": "application/json, text/event-stream"}
SUMMARY = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "memory_summary", "arguments": {}},
}
# The protocol of 2025, which begins with a handshake, and the one of 2026, which does not.
MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


async def call(
    http: httpx2.AsyncClient, name: str, mode: str = "legacy", **arguments: Any
) -> dict[str, Any]:
    """The structured content that a client of the protocol gets."""
    async with Client(streamable_http_client(MCP, http_client=http), mode=mode) as client:
        result = await client.call_tool(name, arguments)
        assert not result.is_error
        assert isinstance(result.structured_content, dict)
        return result.structured_content


@MODES
async def test_the_user_is_the_one_of_the_credential(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str, mode: str
) -> None:
    kept = await call(client, "remember", mode, text="I own a red kayak")
    items = await memory.entries.all(user_id)
    assert [str(item.id) for item in items] == [kept["entry"]["id"]]
    found = await call(client, "search_memory", mode, query="Which kayak do I own?")
    assert [each["text"] for each in found["memories"]] == ["I own a red kayak"]


@MODES
async def test_two_users_at_once_see_their_own(
    served: ApiServices, memory: MemoryService, mode: str
) -> None:
    users = [f"user-{uuid4().hex[:12]}" for _ in range(2)]
    for number, user in enumerate(users):
        await keep(memory, user, f"My locker has the number {number}")
    async with serving(served) as one, serving(served) as other:
        clients = [one, other]
        for user, each in zip(users, clients, strict=True):
            each.headers.update(as_user(user))
        listed = await asyncio.gather(
            *(call(each, "list_memories", mode) for each in clients for _ in range(5))
        )
    texts = [[entry["text"] for entry in page["memories"]] for page in listed]
    assert texts == [["My locker has the number 0"]] * 5 + [["My locker has the number 1"]] * 5


async def test_every_request_is_asked_who_it_is(
    served: ApiServices, memory: MemoryService, user_id: str
) -> None:
    """There is no session to take over or to outlive its credential: the same connection is another
    user with another credential, and nobody without one."""
    await keep(memory, user_id, "I own a red kayak")
    async with serving(served) as http:
        http.headers.update(as_user(user_id))
        transport = streamable_http_client(MCP, http_client=http)
        async with Client(transport, mode="legacy") as client:
            mine = await client.call_tool("memory_summary", {})
            http.headers.update(as_user("somebody else"))
            theirs = await client.call_tool("memory_summary", {})
            del http.headers["Authorization"]
            refused = await http.post(MCP, json=SUMMARY, headers=HEADERS)
    assert mine.structured_content is not None
    assert theirs.structured_content is not None
    assert (mine.structured_content["count"], theirs.structured_content["count"]) == (1, 0)
    assert refused.status_code == 401


async def test_no_session_is_given_and_none_is_believed(client: httpx2.AsyncClient) -> None:
    answer = await client.post(MCP, json=SUMMARY, headers=HEADERS | {"Mcp-Session-Id": uuid4().hex})
    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_without_a_credential_nothing_is_answered(
    anyone: httpx2.AsyncClient, method: str
) -> None:
    answer = await anyone.request(method, MCP, headers=HEADERS)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert (told["type"], told["instance"]) == ("urn:keepsake:not-signed-in", "/mcp")
    assert told["correlation_id"] == answer.headers["x-correlation-id"]
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_only_post_is_answered(client: httpx2.AsyncClient, method: str) -> None:
    answer = await client.request(method, MCP, headers=HEADERS)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["type"] == "urn:keepsake:method-not-allowed"


async def test_a_slash_behind_the_path_makes_no_difference(client: httpx2.AsyncClient) -> None:
    answer = await client.post(f"{MCP}/", json=SUMMARY, headers=HEADERS)
    assert answer.status_code == 200
    assert answer.json()["result"]["structuredContent"]["count"] == 0
    assert (await client.post(f"{MCP}/other", json=SUMMARY)).status_code == 404


async def test_what_is_not_json_is_refused(client: httpx2.AsyncClient) -> None:
    """A page of another site can send a form or plain text without being asked, JSON it cannot."""
    plain = await client.post(
        MCP, content=b'{"jsonrpc": "2.0"}', headers=HEADERS | {"Content-Type": "text/plain"}
    )
    assert plain.status_code == 400
    broken = await client.post(
        MCP, content=b"{", headers=HEADERS | {"Content-Type": "application/json"}
    )
    assert broken.status_code == 400
    assert broken.json()["error"]["code"] == -32700


async def test_the_audit_has_the_id_of_the_request(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    keeping = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "remember", "arguments": {"text": "I own a red kayak"}},
    }
    answer = await client.post(MCP, json=keeping, headers=HEADERS)
    [entry] = await memory.audit.read(user_id, 10)
    assert str(entry.correlation_id) == answer.headers["x-correlation-id"]


async def test_a_body_too_large_is_refused(client: httpx2.AsyncClient, settings: Settings) -> None:
    large = SUMMARY | {"params": {"name": "x" * settings.max_body_bytes}}
    answer = await client.post(MCP, json=large, headers=HEADERS)
    assert answer.status_code == 413
    assert answer.json()["type"] == "urn:keepsake:body-too-large"


async def test_its_requests_are_counted_as_all_others(
    served: ApiServices, settings: Settings, user_id: str
) -> None:
    few = make_rate_limits(settings.model_copy(update={"api_requests_per_minute": 2}))
    async with serving(replace(served, limits=few)) as http:
        http.headers.update(as_user(user_id))
        answers = [await http.post(MCP, json=SUMMARY, headers=HEADERS) for _ in range(2)]
        assert (await http.get("/v1/me")).status_code == 429
        answers.append(await http.post(MCP, json=SUMMARY, headers=HEADERS))
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": URL}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 403),
    ],
)
async def test_in_local_mode_no_page_may_use_it(
    served: ApiServices, settings: Settings, headers: dict[str, str], status: int
) -> None:
    """Neither one of another site, nor one whose name was made to point to this machine."""
    local = SameSiteIdentifier(LocalIdentifier(settings))
    async with serving(replace(served, identifier=local)) as http:
        answer = await http.post(MCP, json=SUMMARY, headers=HEADERS | headers)
    assert answer.status_code == status, answer.text


async def test_no_page_of_another_site_may_read_it(client: httpx2.AsyncClient) -> None:
    asked = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    answer = await client.options(MCP, headers=asked)
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert not answer.is_success
