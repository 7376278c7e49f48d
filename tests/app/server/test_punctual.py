from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from app.api.server import HeaderTimeoutProtocol
from tests.app.listening import STOP_SECONDS


class Impatient(HeaderTimeoutProtocol):
    header_seconds = 0.2


@pytest.fixture
def may_answer() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
async def port(may_answer: asyncio.Event) -> AsyncIterator[int]:
    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await may_answer.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            answer,
            http=Impatient,
            ws="none",
            lifespan="off",
            log_config=None,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        yield listener.getsockname()[1]
        server.should_exit = True
        await task


async def hung_up_on(port: int, sent: bytes = b"") -> bool:
    """Whether somebody who sends this and no more is hung up on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(30):
        told = await reader.read()
    writer.close()
    return told == b""


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
async def test_who_does_not_say_what_it_wants_is_hung_up_on(port: int, sent: bytes) -> None:
    assert await hung_up_on(port, sent)


async def test_an_answer_may_take_its_time_and_another_follow(
    port: int, may_answer: asyncio.Event
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        may_answer.clear()
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await writer.drain()
        assert await hung_up_on(port)  # by now this one would have been, too
        may_answer.set()
        async with asyncio.timeout(30):
            head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 204")
    writer.close()
