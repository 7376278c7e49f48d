from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

from opentelemetry.trace import NoOpTracer
from pydantic import SecretStr

from app.bootstrap import Resources, open_embedder
from memory.cache import Cache
from memory.circuit_breaker import make_circuit_breakers
from memory.config import Settings
from memory.metrics import MemoryMetrics
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel

OTHER = EmbeddingModel("other", 3)


@asynccontextmanager
async def embedding_server(gone: asyncio.Event) -> AsyncIterator[str]:
    """The base URL of a server that embeds one text a connection, and notes when that is closed."""
    entry = {"object": "embedding", "index": 0, "embedding": [1.0, 0.0, 0.0]}
    body = json.dumps({"object": "list", "model": "other", "data": [entry]}).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head.encode() + body)
        await reader.read()
        writer.close()
        gone.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def test_the_embedder_gives_its_connections_back_in_the_end(
    database: Database, cache: Cache, settings: Settings
) -> None:
    gone, counters = asyncio.Event(), MemoryMetrics()
    guards = make_circuit_breakers(settings, OTHER, cache, counters)
    ground = Resources(database, cache, counters, guards, NoOpTracer(), TokenCounter())
    async with embedding_server(gone) as url:
        keyed = {"openai_base_url": url, "openai_api_key": SecretStr("k")}
        async with AsyncExitStack() as stack:
            embedder = open_embedder(stack, ground, settings.model_copy(update=keyed), OTHER)
            await embedder.embed_query(uuid4().hex)
            assert not gone.is_set()
        async with asyncio.timeout(30):
            await gone.wait()
