"""The recall over a database, with vectors of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.actions.forgetting.erasure import plan_removal
from memory.cache import NullCache, RateLimiter
from memory.embeddings.protocol import Embedder
from memory.fingerprints import KeyedDigester
from memory.metrics import MemoryMetrics
from memory.retrieval.hybrid_search import HybridSearch, MemoryHybridSearch
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.message_relevance import MessageCalibration, load_message_calibration
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.relevance import Calibration, load_calibration
from memory.retrieval.service import RecallService
from memory.store.database import Database
from memory.store.erasure import ErasureStore
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import MemorySearch, MessageScope, MessageSearch
from memory.store.spaces import SpaceSettingsStore
from memory.tokens import TokenCounter
from memory.types import MemoryQueryRequest, NewMemory
from tests.memory.fakes import WordEmbedder, vector_of

TEXTS = ("I prefer uv over pip", "The cat sleeps on the sofa", "We moved to Lyon in May")


def recall_service(
    database: Database, memories: MemoryRetriever, messages: MessageRetriever, timeout: float = 30.0
) -> RecallService:
    """Without a limit of recalls a minute."""
    return RecallService(
        memories,
        messages,
        SpaceSettingsStore(database),
        database.access,
        RateLimiter(NullCache(), 0),
        fingerprint=lambda query: KeyedDigester(b"k" * 32).text(query).hex()[:16],
        timeout=timeout,
        counters=MemoryMetrics(),
    )


def memory_retriever(
    database: Database,
    counter: TokenCounter,
    embedder: Embedder | None = None,
    *,
    search: MemorySearch | None = None,
    timeout: float = 30.0,
    calibrate: Callable[[str], Calibration] = load_calibration,
    **options: Any,
) -> MemoryRetriever:
    search = search or MemorySearch(database)
    legs = MemoryHybridSearch(
        search, embedder or WordEmbedder(), embedding_timeout=30.0, search_timeout=timeout
    )
    return MemoryRetriever(
        search, legs, calibrate=calibrate, counter=counter, token_budget=1000, **options
    )


def message_retriever(
    database: Database,
    counter: TokenCounter,
    search: type[MessageSearch] = MessageSearch,
    embedder: Embedder | None = None,
    *,
    embedding: float = 30.0,
    find: float = 30.0,
    calibrate: Callable[[str], MessageCalibration] = load_message_calibration,
) -> MessageRetriever:
    made = search(database)
    legs = HybridSearch[MessageScope](
        made, embedder or WordEmbedder(), embedding_timeout=embedding, search_timeout=find
    )
    return MessageRetriever(
        made,
        legs,
        ErasureStore(database),
        decide=plan_removal,
        calibrate=calibrate,
        counter=counter,
        token_budget=1000,
    )


@dataclass
class Bench:
    database: Database
    counter: TokenCounter
    items: MemoryStore
    user_id: str

    def recalling(
        self, embedder: Embedder | None = None, *, timeout: float = 30.0, **options: Any
    ) -> RecallService:
        """Over a `memory_retriever` of these parts."""
        memories = memory_retriever(
            self.database, self.counter, embedder, timeout=timeout, **options
        )
        messages = message_retriever(self.database, self.counter)
        return recall_service(self.database, memories, messages, timeout)

    def asking(self, query: str, **fields: Any) -> MemoryQueryRequest:
        return MemoryQueryRequest(user_id=self.user_id, query=query, **fields)

    async def keep(self, text: str, **fields: Any) -> UUID:
        new = EmbeddedMemory(NewMemory(content=text, **fields), vector_of(text), "words")
        return (await self.items.save(self.user_id, new)).id

    async def replace(self, older: UUID, by: UUID, when: datetime | None = None) -> None:
        await self.items.supersede(self.user_id, older, by)
        if when is not None:
            await self.run("UPDATE memory_items SET valid_to = $2 WHERE id = $1", older, when)

    async def run(self, statement: str, *arguments: Any) -> list[Any]:
        async with self.database.as_user(self.user_id) as connection:
            return list(await connection.fetch(statement, *arguments))
