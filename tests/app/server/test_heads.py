from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx2
import pytest
from structlog.testing import capture_logs

from app.api.application import make_application
from app.api.dependencies import ApiServices
from tests.app.listening import listening
from tests.app.serving import as_user


@pytest.mark.parametrize("path", ["/healthz", "/", "/v1/me", "/v1/memory/entries", "/openapi.json"])
async def test_a_head_is_the_get_without_its_body(client: httpx2.AsyncClient, path: str) -> None:
    whole, looked = await client.get(path), await client.head(path)

    assert looked.status_code == whole.status_code == 200
    assert looked.content == b""
    assert looked.headers["content-length"] == str(len(whole.content))
    assert looked.headers["content-type"] == whole.headers["content-type"]


async def test_a_head_is_refused_as_its_get(anyone: httpx2.AsyncClient) -> None:
    for path, status in (("/v1/me", 401), ("/nothing", 404), ("/v1/memory/search", 405)):
        looked = await anyone.head(path)
        assert (looked.status_code, looked.content) == (status, b"")
    assert looked.headers["allow"] == "POST"


async def test_the_log_says_what_was_asked(client: httpx2.AsyncClient) -> None:
    with capture_logs() as logs:
        await client.head("/v1/me")
    [line] = [each for each in logs if each["event"] == "answered"]
    assert (line["method"], line["route"], line["status"]) == ("HEAD", "/v1/me", 200)


async def test_a_connection_goes_on_after_a_head_of_a_stream(
    served: ApiServices, user_id: str
) -> None:
    """Over a real connection: what is said of the next answer must not be taken for a body."""
    patient = replace(served, settings=served.settings.model_copy(update={"resume_seconds": 60}))
    async with (
        listening(make_application(patient)) as url,
        httpx2.AsyncClient(base_url=url, headers=as_user(user_id)) as client,
    ):
        began = await client.post("/v1/chat", json={"message": "Hello there"})
        turn = began.headers["keepsake-turn"]
        async with asyncio.timeout(30):
            looked = await client.head(f"/v1/chat/{turn}/events")
            page = await client.head("/memory")
            after = await client.get("/v1/me")
    await patient.chats.aclose()
    assert (looked.status_code, looked.content) == (200, b"")
    assert looked.headers["content-type"].startswith("text/event-stream")
    assert page.status_code == after.status_code == 200
    assert after.json()["user_id"] == user_id
