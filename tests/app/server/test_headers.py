from __future__ import annotations

import httpx2
import pytest

from app.api.dependencies import ApiServices
from app.api.middleware import CONTENT_SECURITY_POLICY, SECURITY_HEADERS
from tests.app.serving import serving


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200),
        ("GET", "/v1/me", 401),
        ("GET", "/nothing/here", 404),
        ("DELETE", "/healthz", 405),
    ],
)
async def test_every_answer_has_them(
    anyone: httpx2.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await anyone.request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)
    assert answer.headers["x-correlation-id"]


async def test_a_problem_of_any_layer_names_the_request(anyone: httpx2.AsyncClient) -> None:
    for method, path in (("GET", "/nothing"), ("PUT", "/healthz"), ("GET", "/v1/me")):
        answer = await anyone.request(method, path)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["correlation_id"] == answer.headers["x-correlation-id"]
        assert answer.json()["detail"].endswith(".")


async def test_no_copy_is_kept_of_what_is_a_users_own(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/v1/me")).headers["cache-control"] == "no-store"
    assert "cache-control" not in (await client.get("/healthz")).headers


def test_the_policy_lets_a_page_load_nothing_from_elsewhere_or_inline() -> None:
    allowed = [part.strip() for part in CONTENT_SECURITY_POLICY.split(";")]
    assert "default-src 'none'" in allowed
    assert not any(word in CONTENT_SECURITY_POLICY for word in ("unsafe", "http", "*"))


async def test_other_sites_pages_may_nothing(served: ApiServices) -> None:
    asked = {"Origin": "https://notes.example.org", "Access-Control-Request-Method": "GET"}
    async with serving(served) as client:
        asking = await client.options("/v1/me", headers=asked)
        answer = await client.get("/healthz", headers={"Origin": asked["Origin"]})
    assert asking.status_code == 405
    for each in (asking, answer):
        assert not [name for name in each.headers if name.startswith("access-control")]
