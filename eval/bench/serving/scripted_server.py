"""A model that is played: an OpenAI-compatible server that asks memory once and then answers in
pieces, at a pace, and remembers how long each turn kept it busy. It finds nothing worth keeping.

What a turn took beyond that is Keepsake's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

READ_TIMEOUT = 60.0
MARK = re.compile(r"\(turn ([0-9a-f]{32})\)")


@dataclass(frozen=True)
class Pace:
    """Seconds before the first token of an answer and between its pieces; how many pieces, and
    how many characters each has."""

    first: float = 0.5
    between: float = 0.025
    pieces: int = 60
    characters: int = 5


@dataclass
class ScriptedServer:
    """`busy` holds, by the mark of a turn, the seconds from a whole request to the last byte of
    its answer, over both requests of the turn."""

    pace: Pace = field(default_factory=Pace)
    busy: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """The base URL that OPENAI_BASE_URL takes."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            yield f"http://127.0.0.1:{port}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(READ_TIMEOUT):
                asked = await _read_request(reader)
            if asked.get("stream"):
                began = time.perf_counter()
                await self._answer(asked, writer)
                self.busy[mark_of(asked)] += time.perf_counter() - began
            else:
                await _find_nothing(writer)
        writer.close()

    async def _answer(self, asked: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("text/event-stream"))
        await asyncio.sleep(self.pace.first)
        if asked["messages"][-1]["role"] == "tool":
            for _ in range(self.pace.pieces):
                piece = "word ".ljust(self.pace.characters, "x")
                writer.write(_chunk({"role": "assistant", "content": piece}))
                await writer.drain()
                await asyncio.sleep(self.pace.between)
            writer.write(_chunk({}, finish="stop"))
        else:
            writer.write(_chunk({"role": "assistant", "tool_calls": [_call(asked)]}))
            writer.write(_chunk({}, finish="tool_calls"))
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()


async def _find_nothing(writer: asyncio.StreamWriter) -> None:
    """The answer to the question what is worth keeping of a message, asked behind the reply."""
    message = {"role": "assistant", "content": '{"facts": []}'}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    told = {"id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted"}
    writer.write(_head("application/json") + json.dumps(told | {"choices": [choice]}).encode())
    await writer.drain()


def mark_of(asked: dict[str, Any]) -> str:
    """Which turn a request belongs to; empty where no message names one."""
    said = [str(each.get("content")) for each in asked["messages"] if each["role"] == "user"]
    found = MARK.search(said[-1]) if said else None
    return found[1] if found else ""


async def _read_request(reader: asyncio.StreamReader) -> dict[str, Any]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    found = re.search(rb"content-length: (\d+)", head)
    body = await reader.readexactly(int(found[1]) if found else 0)
    asked: dict[str, Any] = json.loads(body)
    return asked


def _call(asked: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps({"query": str(asked["messages"][-1].get("content", ""))[:200]})
    function = {"name": "query_memory", "arguments": arguments}
    return {
        "index": 0,
        "id": f"call_{time.monotonic_ns()}",
        "type": "function",
        "function": function,
    }


def _head(media_type: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nConnection: close\r\n\r\n".encode()


def _chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    told = {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(told).encode() + b"\n\n"
