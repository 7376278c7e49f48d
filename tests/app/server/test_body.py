from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
from fastapi import FastAPI, Request
from starlette.types import Message, Receive, Scope, Send

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.limits import FILE_BYTES, IMPORT_BYTES, BodyLimitMiddleware
from tests.app.serving import URL, as_user

MOST = 2_000


@pytest.fixture
async def limited(served: ApiServices, user_id: str) -> AsyncIterator[httpx2.AsyncClient]:
    small = served.settings.model_copy(update={"max_body_bytes": MOST})
    app = make_application(type(served)(**{**vars(served), "settings": small}))

    @app.post("/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=True)
    async with httpx2.AsyncClient(transport=transport, base_url=URL) as client:
        client.headers.update(as_user(user_id))
        yield client


async def chunks(size: int, each: int = 500) -> AsyncIterator[bytes]:
    for _ in range(size // each):
        yield b"x" * each


async def test_up_to_the_limit_a_body_is_taken(limited: httpx2.AsyncClient) -> None:
    assert (await limited.post("/echo", content=b"x" * MOST)).json() == MOST
    assert (await limited.post("/echo", content=chunks(MOST))).json() == MOST


@pytest.mark.parametrize("path", ["/echo", "/v1/memory/entries", "/mcp", "/nothing"])
async def test_a_declared_length_above_it_is_refused(
    limited: httpx2.AsyncClient, path: str
) -> None:
    answer = await limited.post(path, content=b"x" * (MOST + 1))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:keepsake:body-too-large"
    assert answer.json()["correlation_id"] == answer.headers["x-correlation-id"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/echo", "/v1/memory/entries", "/mcp"])
async def test_one_that_declares_none_is_refused_when_it_is_over(
    limited: httpx2.AsyncClient, path: str
) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    answer = await limited.post(path, content=chunks(MOST * 2), headers=headers)
    assert answer.status_code == 413
    assert answer.json()["type"] == "urn:keepsake:body-too-large"


async def test_a_length_that_lies_is_not_believed(limited: httpx2.AsyncClient) -> None:
    answer = await limited.post("/echo", content=chunks(MOST * 2), headers={"Content-Length": "5"})
    assert answer.status_code == 413


async def test_an_import_may_be_larger(limited: httpx2.AsyncClient) -> None:
    answer = await limited.post("/v1/memory/import", content=b"x" * (MOST * 2))
    assert answer.status_code not in (413, 500)
    for path, most in (("", IMPORT_BYTES), ("/file", FILE_BYTES)):
        length = {"Content-Length": str(most + 1)}
        answer = await limited.post(f"/v1/memory/import{path}", content=b"x", headers=length)
        assert answer.status_code == 413


async def test_nobody_sends_a_file_who_is_not_known(limited: httpx2.AsyncClient) -> None:
    """Not a byte of it comes to lie on the disk."""
    limited.headers.clear()
    read = 0

    async def counted() -> AsyncIterator[bytes]:
        nonlocal read
        async for piece in chunks(MOST * 100):
            read += len(piece)
            yield piece

    answer = await limited.post("/v1/memory/import/file", content=counted())
    assert answer.status_code == 401
    assert read <= MOST


async def test_a_body_that_does_not_come_is_not_waited_for(served: ApiServices) -> None:
    """A client sends half of what it declares, and nothing more."""
    app = FastAPI()

    @app.post("/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"] = {"correlation_id": "one"}
        await BodyLimitMiddleware(app, MOST, seconds=0.05)(scope, receive, send)

    came = iter([{"type": "http.request", "body": b"half", "more_body": True}])
    sent: list[Message] = []

    async def receive() -> Message:
        for message in came:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/echo",
        "raw_path": b"/echo",
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-length", b"8")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
        "http_version": "1.1",
    }
    await named(scope, receive, send)
    assert sent[0]["status"] == 408
