"""A retriever over a database, with vectors of words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.embeddings.protocol import Embedder
from memory.fingerprints import KeyedDigester
from memory.retrieval.hybrid_search import MemoryHybridSearch
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.relevance import DEFAULT_CALIBRATION
from memory.retrieval.selection import DEFAULT_OPTIONS, SelectionOptions
from memory.retrieval.usage import UsageWriter
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.search import MemorySearch
from memory.tokens import TokenCounter
from memory.types import MemoryQueryRequest, NewMemory
from tests.memory.fakes import WordEmbedder, vector_of

TEXTS = ("I prefer uv over pip", "The cat sleeps on the sofa", "We moved to Lyon in May")


@dataclass
class Bench:
    database: Database
    counter: TokenCounter
    items: MemoryStore
    user_id: str

    def retriever(
        self,
        embedder: Embedder | None = None,
        search: MemorySearch | None = None,
        timeout: float = 30.0,
        choice: SelectionOptions = DEFAULT_OPTIONS,
        usage: UsageWriter | None = None,
    ) -> MemoryRetriever:
        search = search or MemorySearch(self.database)
        legs = MemoryHybridSearch(
            search, embedder or WordEmbedder(), embedding_timeout=30.0, search_timeout=timeout
        )
        return MemoryRetriever(
            search,
            legs,
            calibration=DEFAULT_CALIBRATION,
            counter=self.counter,
            token_budget=1000,
            fingerprint=lambda query: KeyedDigester(b"k" * 32).text(query).hex()[:16],
            choice=choice,
            usage=usage,
        )

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
