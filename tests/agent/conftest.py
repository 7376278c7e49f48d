from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import pytest

from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.ingestion.extraction import Extractor
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter

MemoryBy: TypeAlias = Callable[[Extractor | None], MemoryService]


@pytest.fixture
async def memory_by(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[MemoryBy]:
    """Makes memories that learn by an extractor, by the rules where it is None."""
    made: list[MemoryService] = []

    def make(extractor: Extractor | None) -> MemoryService:
        made.append(make_memory(database, embedder, cache, counter, settings, extractor=extractor))
        return made[-1]

    yield make
    for each in made:
        await each.aclose()
