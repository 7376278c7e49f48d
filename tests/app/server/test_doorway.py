from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx2
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.application import make_application
from app.api.dependencies import ApiServices
from app.api.server import GracefulServer
from memory.errors import ServerEnded


@dataclass
class Turns:
    """Drains at once, unless it is `slow`: then only closing ends it."""

    slow: bool = False
    steps: list[str] = field(default_factory=list)
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    async def drain(self, seconds: float) -> None:
        self.steps.append("drain")
        if self.slow:
            await self.closed.wait()

    async def aclose(self) -> None:
        self.steps.append("close")
        self.closed.set()


@dataclass
class Answers:
    """An application that answers when it may, and notes when it was cancelled."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    broken_off: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half, ", "more_body": True})
        self.begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.broken_off = True
            raise
        await send({"type": "http.response.body", "body": b"and the rest"})


@pytest.fixture
def listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def open_doorway(app: ASGIApp, listener: socket.socket) -> tuple[GracefulServer, str]:
    doorway = GracefulServer(app, listener)
    port = listener.getsockname()[1]
    doorway.open()
    return doorway, f"http://127.0.0.1:{port}"


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(timeout=60) as client:
        yield client


async def test_what_is_being_answered_is_answered_to_its_end(
    listener: socket.socket, client: httpx2.AsyncClient
) -> None:
    answers, turns = Answers(), Turns()
    doorway, url = open_doorway(answers, listener)
    reading = asyncio.create_task(client.get(url))
    await answers.begun.wait()
    closing = asyncio.create_task(doorway.close(turns, 60, asyncio.Event()))
    await asyncio.to_thread(wait_until_refused, url)
    answers.may_end.set()
    assert (await reading).text == "half, and the rest"
    await closing
    assert turns.steps == ["drain"]


def wait_until_refused(url: str) -> None:
    host, port = url.removeprefix("http://").split(":")
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=30).close()
        except ConnectionError:
            return


@pytest.mark.parametrize("hurried", [False, True])
async def test_what_does_not_end_in_time_is_broken_off(
    listener: socket.socket, client: httpx2.AsyncClient, hurried: bool
) -> None:
    """The turns are stopped first, so that their replies are stored."""
    answers, turns, hurry = Answers(), Turns(slow=True), asyncio.Event()
    doorway, url = open_doorway(answers, listener)
    reading = asyncio.create_task(client.get(url))
    await answers.begun.wait()
    if hurried:
        hurry.set()
    async with asyncio.timeout(30):
        await doorway.close(turns, 60 if hurried else 0.1, hurry)
    assert turns.steps == ["drain", "close"]
    assert answers.broken_off
    with pytest.raises(httpx2.RemoteProtocolError):
        await reading


async def test_an_idle_connection_holds_nothing_up(
    listener: socket.socket, client: httpx2.AsyncClient
) -> None:
    answers = Answers()
    answers.may_end.set()
    doorway, url = open_doorway(answers, listener)
    assert (await client.get(url)).status_code == 200
    async with asyncio.timeout(30):
        await doorway.close(Turns(), 60, asyncio.Event())


async def test_the_answer_does_not_say_what_serves(
    listener: socket.socket, client: httpx2.AsyncClient
) -> None:
    answers = Answers()
    answers.may_end.set()
    doorway, url = open_doorway(answers, listener)
    headers = {"X-Forwarded-For": "203.0.113.7"}
    assert "server" not in (await client.get(url, headers=headers)).headers
    await doorway.close(Turns(), 60, asyncio.Event())


async def test_above_its_connections_it_says_so_under_an_id(
    listener: socket.socket, served: ApiServices
) -> None:
    doorway = GracefulServer(make_application(served), listener, most_connections=1)
    doorway.open()
    host, port = listener.getsockname()
    async with httpx2.AsyncClient(base_url=f"http://{host}:{port}", timeout=60) as client:
        assert (await client.get("/healthz")).status_code == 200  # and its connection stays open
        async with httpx2.AsyncClient(base_url=client.base_url, timeout=60) as another:
            refused = await another.get("/healthz")
        again = await client.get("/healthz")
    await doorway.close(Turns(), 60, asyncio.Event())

    assert (refused.status_code, again.status_code) == (503, 200)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"] == "urn:keepsake:too-crowded"
    assert refused.json()["correlation_id"] == refused.headers["x-correlation-id"]
    assert (refused.headers["connection"], refused.headers["retry-after"]) == ("close", "5")


async def test_an_end_that_nobody_asked_for_is_an_error(listener: socket.socket) -> None:
    doorway, _ = open_doorway(Answers(), listener)
    staying = asyncio.create_task(doorway.run_until_cancelled())
    await doorway.close(Turns(), 60, asyncio.Event())
    with pytest.raises(ServerEnded):
        await staying


async def test_what_is_no_http_fills_no_log(
    listener: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    doorway, _ = open_doorway(Answers(), listener)
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(b"\x16\x03\x01 nothing of ours\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await doorway.close(Turns(), 60, asyncio.Event())
    assert b"400" in answer.partition(b"\r\n")[0]
    assert not [each for each in caplog.records if each.name.startswith("uvicorn")]
