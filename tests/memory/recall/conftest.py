from __future__ import annotations

import pytest

from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.tokens import TokenCounter
from tests.memory.recall.bench import TEXTS, Bench


@pytest.fixture
def empty_bench(database: Database, counter: TokenCounter, user_id: str) -> Bench:
    return Bench(database, counter, MemoryStore(database), user_id)


@pytest.fixture
async def bench(empty_bench: Bench) -> Bench:
    for text in TEXTS:
        await empty_bench.keep(text)
    return empty_bench
