"""Clients that read their answers a few bytes at a time: they may not keep others waiting."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from eval.bench.serving.program import USER_HEADER

SIPS_EACH_SECOND = 1
SIP_BYTES = 256
WINDOW_BYTES = 4096
START_SECONDS = 60.0


@asynccontextmanager
async def slow_readers(url: str, count: int) -> AsyncIterator[list[int]]:
    """Each has begun a turn and reads 256 bytes a second of it; yields how many bytes each got so
    far."""
    got = [0] * count
    begun = [asyncio.Event() for _ in range(count)]
    tasks = [
        asyncio.create_task(_read_slowly(url, number, got, begun[number]))
        for number in range(count)
    ]
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await asyncio.gather(*(each.wait() for each in begun))
        yield got
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read_slowly(url: str, number: int, got: list[int], begun: asyncio.Event) -> None:
    connection = await _connect(url)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_sendall(connection, _request(url, number))
        while data := await loop.sock_recv(connection, SIP_BYTES):
            got[number] += len(data)
            begun.set()
            await asyncio.sleep(1 / SIPS_EACH_SECOND)
    finally:
        connection.close()


async def _connect(url: str) -> socket.socket:
    """With a small window, so that what is not read waits in the server and not in the kernel."""
    address = urlsplit(url)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW_BYTES)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (address.hostname, address.port))
    return connection


def _request(url: str, number: int) -> bytes:
    body = json.dumps({"message": f"Tell me a long story (turn {number:032x})"}).encode()
    head = (
        f"POST /v1/chat HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
        f"{USER_HEADER}: slow-{number}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
