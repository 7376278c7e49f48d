from __future__ import annotations

import httpx2
import pytest

ID = "6f1c1bb0-9d0c-4f3f-9d5a-0d6f5b8f2f0e"


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/healthz", "GET, HEAD"),
        ("/", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/v1/memory/entries", "GET, HEAD, POST"),
        (f"/v1/memory/entries/{ID}", "GET, HEAD, PATCH, DELETE"),
        (f"/v1/memory/entries/{ID}/pin", "POST, DELETE"),
        (f"/v1/conversations/{ID}", "GET, HEAD, PATCH, DELETE"),
        ("/mcp", "POST"),
    ],
)
async def test_a_refused_method_is_told_all_that_are_taken(
    client: httpx2.AsyncClient, path: str, methods: str
) -> None:
    for method in ("PUT", "OPTIONS", "TRACE", "BREW"):
        answer = await client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, methods), method
        assert answer.json()["type"] == "urn:keepsake:method-not-allowed"
