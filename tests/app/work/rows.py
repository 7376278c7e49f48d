"""Rows that wait, and what the queue holds, as the owner of the database sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias
from uuid import uuid4

import asyncpg

from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.types import NewMemory

Row: TypeAlias = "asyncpg.Record"
WAITING = """
SELECT (SELECT count(*) FROM memory_items WHERE needs_embedding AND deleted_at IS NULL)
     + (SELECT count(*) FROM messages WHERE needs_embedding)
"""


@asynccontextmanager
async def owner_of(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(url, timeout=60)
    try:
        yield connection
    finally:
        await connection.close(timeout=60)


async def keep_bare(database: Database, user_id: str, *texts: str) -> None:
    """Memories without a vector, as a crash leaves them."""
    bare = [EmbeddedMemory(NewMemory(content=text), None, None) for text in texts]
    await MemoryStore(database).save_all(user_id, bare)


async def say(database: Database, user_id: str, text: str, *, learn: bool = False) -> None:
    new = NewMessage("user", text, uuid4(), needs_learning=learn)
    await DatabaseConversations(database).add_message(user_id, uuid4(), new)


async def waiting(url: str) -> int:
    async with owner_of(url) as owner:
        return int(await owner.fetchval(WAITING))


async def jobs(url: str, name: str = "%") -> list[Row]:
    wanted = "SELECT * FROM pgqueuer WHERE entrypoint LIKE $1 ORDER BY id"
    async with owner_of(url) as owner:
        return list(await owner.fetch(wanted, name))


async def hurry(url: str) -> None:
    """Every job may begin now."""
    async with owner_of(url) as owner:
        await owner.execute("UPDATE pgqueuer SET execute_after = now() - interval '1 second'")
