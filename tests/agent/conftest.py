from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import pytest

from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.understanding import SecondReader

MemoryBy: TypeAlias = Callable[[SecondReader | None], MemoryService]


@pytest.fixture
async def memory_by(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[MemoryBy]:
    """Makes memories that learn with a second reader, offline where it is None."""
    made: list[MemoryService] = []

    def make(reader: SecondReader | None) -> MemoryService:
        made.append(make_memory(database, embedder, cache, counter, settings, reader=reader))
        return made[-1]

    yield make
    for each in made:
        await each.aclose()
