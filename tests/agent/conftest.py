from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest
from agents import set_tracing_disabled

from memory.cache import Cache
from memory.service import Memory
from tests.agent.turns import Assist, assists


@pytest.fixture(scope="session", autouse=True)
def _no_traces() -> None:
    set_tracing_disabled(True)


@pytest.fixture
def conversation() -> UUID:
    return uuid4()


@pytest.fixture
async def assist(memory: Memory, cache: Cache) -> AsyncIterator[Assist]:
    """Makes assistants over the test's memory, and closes them in the end."""
    async with assists(memory, cache) as make:
        yield make
