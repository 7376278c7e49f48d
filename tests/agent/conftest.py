from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import pytest

from memory.assembly import make_memory
from memory.cache import Cache
from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.service import Memory
from memory.settings import Settings
from memory.tokens import TokenCounter
from memory.understanding import SecondReader

MemoryBy: TypeAlias = Callable[[SecondReader | None], Memory]


@pytest.fixture
async def memory_by(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[MemoryBy]:
    """Makes memories that learn by a second reader, by the offline one where it is None."""
    made: list[Memory] = []

    def make(reader: SecondReader | None) -> Memory:
        made.append(make_memory(database, embedder, cache, counter, settings, second_reader=reader))
        return made[-1]

    yield make
    for each in made:
        await each.aclose()
