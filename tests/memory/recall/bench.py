"""A retriever over a database, with vectors of words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.database import Database
from memory.digests import Digester
from memory.embedders.protocol import Embedder
from memory.models import NewItem
from memory.recall.choice.selection import PLAIN, Choice
from memory.recall.retriever import Retriever
from memory.recall.search.legs import Legs
from memory.recall.search.relevance import DEFAULT
from memory.recall.usage import UsageWriter
from memory.recalls import MemoryQueryRequest
from memory.store.memories.items import EmbeddedItem, Items
from memory.store.memories.search import Search
from memory.tokens import TokenCounter
from tests.memory.fakes import WordEmbedder, vector_of

TEXTS = ("I prefer uv over pip", "The cat sleeps on the sofa", "We moved to Lyon in May")


@dataclass
class Bench:
    database: Database
    counter: TokenCounter
    items: Items
    user_id: str

    def retriever(
        self,
        embedder: Embedder | None = None,
        search: Search | None = None,
        timeout: float = 5.0,
        choice: Choice = PLAIN,
        usage: UsageWriter | None = None,
    ) -> Retriever:
        search = search or Search(self.database)
        legs = Legs(
            search, embedder or WordEmbedder(), embedding_timeout=5.0, search_timeout=timeout
        )
        return Retriever(
            search,
            legs,
            calibration=DEFAULT,
            counter=self.counter,
            token_budget=1000,
            fingerprint=lambda query: Digester(b"k" * 32).text(query).hex()[:16],
            choice=choice,
            usage=usage,
        )

    def asking(self, query: str, **fields: Any) -> MemoryQueryRequest:
        return MemoryQueryRequest(user_id=self.user_id, query=query, **fields)

    async def keep(self, text: str, **fields: Any) -> UUID:
        new = EmbeddedItem(NewItem(content=text, **fields), vector_of(text), "words")
        return (await self.items.save(self.user_id, new)).id

    async def replace(self, older: UUID, by: UUID, when: datetime | None = None) -> None:
        await self.items.supersede(self.user_id, older, by)
        if when is not None:
            await self.run("UPDATE memory_items SET valid_to = $2 WHERE id = $1", older, when)

    async def run(self, statement: str, *arguments: Any) -> list[Any]:
        async with self.database.as_user(self.user_id) as connection:
            return list(await connection.fetch(statement, *arguments))
