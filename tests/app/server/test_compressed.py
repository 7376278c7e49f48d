from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

STATIC = Path(__file__).parents[3] / "app" / "web" / "static"
GZIP = {"Accept-Encoding": "gzip"}
SCRIPT = "vendor/markdown-it/markdown-it.mjs"


async def test_a_script_goes_out_compressed_to_who_takes_that(anyone: httpx2.AsyncClient) -> None:
    whole = (STATIC / SCRIPT).read_bytes()
    packed = await anyone.get(f"/static/{SCRIPT}", headers=GZIP)
    plain = await anyone.get(f"/static/{SCRIPT}", headers={"Accept-Encoding": "identity"})

    assert packed.content == plain.content == whole
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    for answer in (packed, plain):
        assert "accept-encoding" in answer.headers["vary"].lower()


async def test_what_the_browser_has_is_not_sent_again(anyone: httpx2.AsyncClient) -> None:
    first = await anyone.get(f"/static/{SCRIPT}", headers=GZIP)
    known = {"If-None-Match": first.headers["etag"]}
    again = await anyone.get(f"/static/{SCRIPT}", headers=GZIP | known)
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/v1/memory/entries", "/v1/me"])
async def test_nothing_else_is_compressed(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path, headers=GZIP)
    assert answer.status_code == 200
    assert "content-encoding" not in answer.headers
