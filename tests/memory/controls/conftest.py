"""The user's controls over a real database and cache, with an embedder that knows words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from pgvector import HalfVector

from memory.actions.entries import Entries
from memory.actions.forgetting.cache_invalidation import (
    CachedVectors,
    CacheInvalidator,
    SessionCopies,
)
from memory.actions.forgetting.erasure import Erasure
from memory.actions.forgetting.proof import ErasureProver, TombstoneDigester
from memory.actions.forgetting.service import ForgettingService
from memory.actions.forgetting.transcript_redaction import TranscriptRedactor
from memory.cache import Cache, EmbeddingCache, NullCache, SessionCache
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.protocol import Embedder
from memory.fingerprints import KeyedDigester
from memory.ingestion.deduplication import RelationCache
from memory.retrieval.hybrid_search import MemoryHybridSearch
from memory.store.audit import AuditStore
from memory.store.database import Database
from memory.store.erasure import ErasureProofStore, ErasureStore, TranscriptStore
from memory.store.forgetting import ForgettingStore
from memory.store.memory_entries import MemoryEntryStore
from memory.store.search import MemorySearch
from memory.text import to_first_person
from memory.types import Origin
from tests.memory.fakes import WordEmbedder, vector_of

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
ORIGIN = Origin("user", UUID("00000000-0000-0000-0000-00000000000a"))


@dataclass
class Kept:
    """Rows as a test wants them, put in without the write path."""

    database: Database

    async def item(self, user_id: str, content: str, **fields: Any) -> UUID:
        values = {
            "content": content,
            "type": "fact",
            "embedding": HalfVector(vector_of(to_first_person(content))),
            "needs_embedding": False,
        } | fields
        names = ", ".join(values)
        places = ", ".join(f"${number}" for number in range(2, len(values) + 2))
        async with self.database.as_user(user_id) as connection:
            found: UUID = await connection.fetchval(
                f"INSERT INTO memory_items (user_id, {names}) VALUES ($1, {places}) RETURNING id",
                user_id,
                *values.values(),
            )
        return found

    async def message(
        self,
        user_id: str,
        content: str,
        *,
        chat: UUID | None = None,
        role: str = "user",
        turn: UUID | None = None,
        rested_on: Sequence[UUID] = (),
    ) -> tuple[UUID, UUID]:
        """The ids of a message and of its conversation."""
        chat = chat or uuid4()
        recalled = json.dumps([{"item_id": str(each), "relevance": 0.9} for each in rested_on])
        async with self.database.as_user(user_id) as connection:
            await connection.execute(
                "INSERT INTO conversations (user_id, id, title) VALUES ($1, $2, $3)"
                " ON CONFLICT DO NOTHING",
                user_id,
                chat,
                " ".join(content.split())[:80],
            )
            message = await connection.fetchval(
                "INSERT INTO messages (user_id, conversation_id, role, content, correlation_id,"
                " recalled, embedding, needs_embedding)"
                " VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, false) RETURNING id",
                user_id,
                chat,
                role,
                content,
                turn or uuid4(),
                recalled,
                HalfVector(vector_of(content)),
            )
        return message, chat

    async def value(self, user_id: str, query: str, *arguments: object) -> Any:
        async with self.database.as_user(user_id) as connection:
            return await connection.fetchval(query, *arguments)

    async def content(self, user_id: str, message_id: UUID) -> Any:
        return await self.value(user_id, "SELECT content FROM messages WHERE id = $1", message_id)

    async def execute(self, user_id: str, query: str, *arguments: object) -> None:
        async with self.database.as_user(user_id) as connection:
            await connection.execute(query, *arguments)

    async def actions(self, user_id: str) -> list[tuple[str, UUID | None]]:
        """What the audit log says, the oldest first."""
        entries = await AuditStore(self.database).read(user_id)
        return [(entry.action, entry.item_id) for entry in reversed(entries)]


@dataclass
class Controls:
    """The parts of the controls, as the assembly puts them together."""

    database: Database
    digester: KeyedDigester
    vectors: CachedVectors
    sessions: SessionCopies
    embedder: Embedder = field(default_factory=WordEmbedder)
    pairs: RelationCache = field(default_factory=RelationCache)

    @property
    def store(self) -> ForgettingStore:
        return ForgettingStore(self.database, TombstoneDigester(self.digester))

    @property
    def copies(self) -> CacheInvalidator:
        return CacheInvalidator(self.vectors, self.sessions, NullCache())

    @property
    def erasure(self) -> Erasure:
        return Erasure(ErasureStore(self.database), self.copies)

    @property
    def prover(self) -> ErasureProver:
        legs = MemoryHybridSearch(
            MemorySearch(self.database), self.embedder, embedding_timeout=30, search_timeout=30
        )
        return ErasureProver(ErasureProofStore(self.database), legs, self.digester)

    @property
    def forgetting(self) -> ForgettingService:
        return ForgettingService(self.store, self.erasure, self.prover, self.pairs, self.said)

    @property
    def said(self) -> TranscriptRedactor:
        store = TranscriptStore(self.database)
        return TranscriptRedactor(store, self.copies, self.pairs)

    @property
    def entries(self) -> Entries:
        marker = TombstoneDigester(self.digester)
        return Entries(
            MemoryEntryStore(self.database),
            self.embedder,
            marker,
            embedding_timeout=30,
            relate=self.pairs,
        )


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database)


@pytest.fixture
def digester() -> KeyedDigester:
    return KeyedDigester(b"k" * 32)


@pytest.fixture
def controls(database: Database, digester: KeyedDigester, cache: Cache) -> Controls:
    embedder = WordEmbedder()
    vectors = CachedEmbedder(embedder, EmbeddingCache(cache))
    return Controls(database, digester, vectors, SessionCache(cache), embedder)


@pytest.fixture
def other(user_id: str) -> str:
    return f"{user_id}-other"
