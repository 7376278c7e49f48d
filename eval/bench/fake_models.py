"""Models that are played by OpenAI-compatible servers: one that chats at a pace, one that embeds
with moods."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal
from zlib import crc32

import numpy as np

CHAT_READ_TIMEOUT = 60.0
TURN_MARK = re.compile(r"\(turn ([0-9a-f]{32})\)")


@dataclass(frozen=True)
class AnswerPace:
    """Seconds before the first token of an answer and between its pieces; how many pieces, and
    how many characters each has."""

    first: float = 0.5
    between: float = 0.025
    pieces: int = 60
    characters: int = 5


@dataclass
class ScriptedChatServer:
    """`busy` holds, by the mark of a turn, the seconds from a whole request to the last byte of its
    answer, over both requests of the turn. It asks memory once and then answers in pieces, at a
    pace, and finds nothing worth keeping. What a turn took beyond that is Keepsake's own."""

    pace: AnswerPace = field(default_factory=AnswerPace)
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
            async with asyncio.timeout(CHAT_READ_TIMEOUT):
                asked = await _read_request(reader)
            if asked.get("stream"):
                began = time.perf_counter()
                await self._answer(asked, writer)
                self.busy[turn_mark_of(asked)] += time.perf_counter() - began
            else:
                await _answer_reading(asked, writer)
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
            writer.write(_chunk({"role": "assistant", "tool_calls": [_tool_call(asked)]}))
            writer.write(_chunk({}, finish="tool_calls"))
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()


async def _answer_reading(asked: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    """The answer to the question how a message is read, asked behind the reply: as small talk."""
    question = str(asked["messages"][-1]["content"])
    read = json.loads(question.removeprefix("<reading>").removesuffix("</reading>"))
    segment = {"text": read["message"], "kind": "small_talk", "confidence": 1.0}
    message = {"role": "assistant", "content": json.dumps({"segments": [segment]})}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    told = {"id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted"}
    writer.write(_head("application/json") + json.dumps(told | {"choices": [choice]}).encode())
    await writer.drain()


def turn_mark_of(asked: dict[str, Any]) -> str:
    """Which turn a request belongs to; empty where no message names one."""
    said = [str(each.get("content")) for each in asked["messages"] if each["role"] == "user"]
    found = TURN_MARK.search(said[-1]) if said else None
    return found[1] if found else ""


async def _read_request(reader: asyncio.StreamReader) -> dict[str, Any]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    found = re.search(rb"content-length: (\d+)", head)
    body = await reader.readexactly(int(found[1]) if found else 0)
    asked: dict[str, Any] = json.loads(body)
    return asked


def _tool_call(asked: dict[str, Any]) -> dict[str, Any]:
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


ServerMood = Literal["well", "failing", "hanging", "away"]
EMBEDDING_READ_TIMEOUT = 30.0
EMBEDDING_FAILING_SHARE = 0.3
EMBEDDING_DIMENSIONS = 32
EMBEDDING_MODEL = "bench-embedding"
_EMBEDDING_VECTORS: list[list[float]] = (
    np.random.default_rng(1).normal(size=(256, EMBEDDING_DIMENSIONS)).round(2).tolist()
)


class ScriptedEmbeddingServer:
    """`well` it answers after `seconds`; `failing` it answers 500 to three calls in ten; `hanging`
    it takes a call and says nothing until its mood changes; `away` it hangs up at once. `calls`
    counts those with more than one text, which are a worker's."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.calls = 0
        self._seconds = seconds
        self._random = random.Random(seed)  # noqa: S311 - nobody's secret hangs on it
        self._mood: ServerMood = "well"
        self._changed = asyncio.Event()

    def be(self, mood: ServerMood) -> None:
        self._mood = mood
        self._changed.set()
        self._changed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """The base URL that OPENAI_BASE_URL takes."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**22)
        async with server:
            port = server.sockets[0].getsockname()[1]
            yield f"http://127.0.0.1:{port}/v1"
            self.be("away")  # nobody is left hanging

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            if self._mood != "away":
                async with asyncio.timeout(EMBEDDING_READ_TIMEOUT):
                    texts = await _read_embedding_request(reader)
                self.calls += len(texts) > 1
                await self._answer(texts, writer)
        writer.close()

    async def _answer(self, texts: list[str], writer: asyncio.StreamWriter) -> None:
        if self._mood == "hanging":
            await self._changed.wait()
            return
        if self._mood == "failing" and self._random.random() < EMBEDDING_FAILING_SHARE:
            writer.write(
                _embedding_head("500 Internal Server Error") + b'{"error": {"message": "no"}}'
            )
        else:
            if len(texts) > 1:
                await asyncio.sleep(self._seconds)
            writer.write(_embedding_head("200 OK") + _embedding_answer(texts))
        await writer.drain()


def scripted_vector(text: str) -> list[float]:
    """One of a few, the same for the same text."""
    return _EMBEDDING_VECTORS[crc32(text.encode()) % len(_EMBEDDING_VECTORS)]


def _embedding_answer(texts: list[str]) -> bytes:
    """Of parts made beforehand: the recalls that are timed share their processor with this."""
    entries = (
        f'{{"object": "embedding", "index": {index}, "embedding": {scripted_vector(text)}}}'
        for index, text in enumerate(texts)
    )
    data = ", ".join(entries)
    return f'{{"object": "list", "model": "{EMBEDDING_MODEL}", "data": [{data}]}}'.encode()


async def _read_embedding_request(reader: asyncio.StreamReader) -> list[str]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    found = re.search(rb"content-length: (\d+)", head)
    asked: dict[str, Any] = json.loads(await reader.readexactly(int(found[1]) if found else 0))
    texts: str | list[str] = asked["input"]
    return [texts] if isinstance(texts, str) else texts


def _embedding_head(status: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n".encode()
    )
