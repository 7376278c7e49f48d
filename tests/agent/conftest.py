from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from memory.assembly import make_memory
from memory.cache import Cache
from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.service import Memory
from memory.settings import Settings
from memory.tokens import TokenCounter
from memory.write.candidates import Extractor

MemoryBy: TypeAlias = Callable[[Extractor | None], Memory]


@pytest.fixture
def memory_by(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> MemoryBy:
    """Makes memories that learn by an extractor, by the rules where it is None."""

    def make(extractor: Extractor | None) -> Memory:
        return make_memory(database, embedder, cache, counter, settings, extractor=extractor)

    return make
