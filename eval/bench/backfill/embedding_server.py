"""An embedding model that is played: an OpenAI-compatible server with moods."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import AsyncIterator
from typing import Any, Literal
from zlib import crc32

import numpy as np

Mood = Literal["well", "failing", "hanging", "away"]
READ_TIMEOUT = 30.0
FAILING_SHARE = 0.3
DIMENSIONS = 32
MODEL = "bench-embedding"
_VECTORS: list[list[float]] = (
    np.random.default_rng(1).normal(size=(256, DIMENSIONS)).round(2).tolist()
)


class EmbeddingServer:
    """`well` it answers after `seconds`; `failing` it answers 500 to three calls in ten; `hanging`
    it takes a call and says nothing until its mood changes; `away` it hangs up at once. `calls`
    counts those with more than one text, which are a worker's."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.calls = 0
        self._seconds = seconds
        self._random = random.Random(seed)  # noqa: S311 - nobody's secret hangs on it
        self._mood: Mood = "well"
        self._changed = asyncio.Event()

    def be(self, mood: Mood) -> None:
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
                async with asyncio.timeout(READ_TIMEOUT):
                    texts = await _read_texts(reader)
                self.calls += len(texts) > 1
                await self._answer(texts, writer)
        writer.close()

    async def _answer(self, texts: list[str], writer: asyncio.StreamWriter) -> None:
        if self._mood == "hanging":
            await self._changed.wait()
            return
        if self._mood == "failing" and self._random.random() < FAILING_SHARE:
            writer.write(_head("500 Internal Server Error") + b'{"error": {"message": "no"}}')
        else:
            if len(texts) > 1:
                await asyncio.sleep(self._seconds)
            writer.write(_head("200 OK") + _answer_to(texts))
        await writer.drain()


def vector_of(text: str) -> list[float]:
    """One of a few, the same for the same text."""
    return _VECTORS[crc32(text.encode()) % len(_VECTORS)]


def _answer_to(texts: list[str]) -> bytes:
    """Of parts made beforehand: the recalls that are timed share their processor with this."""
    entries = (
        f'{{"object": "embedding", "index": {index}, "embedding": {vector_of(text)}}}'
        for index, text in enumerate(texts)
    )
    return f'{{"object": "list", "model": "{MODEL}", "data": [{", ".join(entries)}]}}'.encode()


async def _read_texts(reader: asyncio.StreamReader) -> list[str]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    found = re.search(rb"content-length: (\d+)", head)
    asked: dict[str, Any] = json.loads(await reader.readexactly(int(found[1]) if found else 0))
    texts: str | list[str] = asked["input"]
    return [texts] if isinstance(texts, str) else texts


def _head(status: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n".encode()
    )
