from __future__ import annotations

import httpx2
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.middleware import HttpMetrics
from memory.metrics import MemoryMetrics
from tests.app.serving import as_user


async def scraped(client: httpx2.AsyncClient) -> dict[str, list[tuple[dict[str, str], float]]]:
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


async def test_requests_are_counted_by_template_method_and_class(
    client: httpx2.AsyncClient, user_id: str
) -> None:
    await client.get("/v1/me")
    await client.get("/v1/memory/entries/not-an-id")
    for path in ("/some/where", "/else/where"):
        await client.request("BREW", path)
    found = await scraped(client)
    counted = {
        (each["method"], each["route"], each["status"]): value
        for each, value in found["keepsake_http_requests_total"]
    }
    assert counted[("GET", "/v1/me", "2xx")] == 1
    assert counted[("GET", "/v1/memory/entries/{id}", "4xx")] == 1
    assert counted[("other", "unknown", "4xx")] == 2
    seconds = {each["route"]: value for each, value in found["keepsake_http_request_seconds_count"]}
    assert seconds["/v1/me"] == 1
    assert found["keepsake_http_requests_in_flight"] == [({}, 1)]
    assert user_id not in str(found)
    assert "where" not in str(found)


async def test_turns_and_what_the_memory_counts_are_in_it(anyone: httpx2.AsyncClient) -> None:
    found = await scraped(anyone)
    assert found["keepsake_turns_running"] == [({}, 0)]
    assert found["keepsake_turn_listeners"] == [({}, 0)]


def test_the_memorys_counters_share_the_registry() -> None:
    counters = MemoryMetrics()
    metrics = HttpMetrics(counters.registry)
    counters.supersedes.inc()
    metrics.watch_turns(lambda: 3, lambda: 5)
    read = metrics.registry.get_sample_value
    assert read("keepsake_supersedes_total") == 1
    assert (read("keepsake_turns_running"), read("keepsake_turn_listeners")) == (3, 5)


def test_two_servers_count_for_themselves() -> None:
    first, second = HttpMetrics(CollectorRegistry()), HttpMetrics(CollectorRegistry())
    first.requests.labels("GET", "/", "2xx").inc()
    assert next(iter(second.requests.collect())).samples == []


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.7", {}, 401),
        ("203.0.113.7", as_user("a-scraper"), 200),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.7"}, 401),
        ("127.0.0.1", {"Host": "rebound.example.org"}, 401),
    ],
)
async def test_it_is_read_on_this_machine_or_with_a_credential(
    served: ApiServices, peer: str, headers: dict[str, str], status: int
) -> None:
    transport = httpx2.ASGITransport(app=make_application(served), client=(peer, 4000))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/metrics", headers=headers)).status_code == status
