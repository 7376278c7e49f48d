"""A wrong address: a page for a person, a problem for a program."""

from __future__ import annotations

import httpx2
import pytest

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_a_person_gets_a_page_with_a_way_back(anyone: httpx2.AsyncClient) -> None:
    answer = await anyone.get("/nothing/here", headers={"Accept": BROWSER})
    looked = await anyone.head("/nothing/here", headers={"Accept": BROWSER})

    assert answer.status_code == looked.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Not found · Keepsake</title>" in answer.text
    assert 'href="/"' in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/nothing/here", "*/*"),
        ("/nothing/here", "application/json"),
        ("/v1/nothing", BROWSER),
        ("/mcp/nothing", BROWSER),
        ("/static/nothing.js", BROWSER),
    ],
)
async def test_a_program_gets_a_problem(anyone: httpx2.AsyncClient, path: str, accept: str) -> None:
    answer = await anyone.get(path, headers={"Accept": accept})

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_only_what_is_opened_gets_a_page(anyone: httpx2.AsyncClient) -> None:
    answer = await anyone.post("/nothing/here", headers={"Accept": BROWSER})
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:keepsake:not-found")
