from __future__ import annotations

import httpx2
import structlog
from structlog.testing import capture_logs

WORDS = "bergen"


async def test_a_line_names_the_route_and_no_word_of_a_user(client: httpx2.AsyncClient) -> None:
    with capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        answer = await client.get(f"/v1/memory/entries/{WORDS}", params={"text": WORDS})
        await client.get(f"/{WORDS}/here?text={WORDS}")
        await client.post("/v1/memory/entries", json={"text": WORDS * 2, WORDS: 1})
    lines = [each for each in logs if each["event"] == "answered"]
    assert [(each["method"], each["route"], each["status"]) for each in lines] == [
        ("GET", "/v1/memory/entries/{id}", 422),
        ("GET", "unknown", 404),
        ("POST", "/v1/memory/entries", 422),
    ]
    assert lines[0]["correlation_id"] == answer.headers["x-correlation-id"]
    assert all(each["ms"] >= 0 for each in lines)
    assert WORDS not in str(lines)


async def test_a_status_is_told_as_a_number(
    client: httpx2.AsyncClient, anyone: httpx2.AsyncClient
) -> None:
    with capture_logs() as logs:
        await client.get("/v1/me")
        await anyone.get("/v1/me")
        await client.put("/v1/me")
        await client.get("/mcp")
        await client.get("/v1/memory/entries/6f1c1bb0-9d0c-4f3f-9d5a-0d6f5b8f2f0e")
    statuses = [each["status"] for each in logs if each["event"] == "answered"]
    assert statuses == [200, 401, 405, 405, 404]
    assert {type(each) for each in statuses} == {int}


async def test_what_a_monitor_asks_for_is_not_told(anyone: httpx2.AsyncClient) -> None:
    with capture_logs() as logs:
        for path in ("/healthz", "/readyz", "/metrics"):
            await anyone.get(path)
    assert {each["log_level"] for each in logs if each["event"] == "answered"} == {"debug"}
