"""Memories as rows. Every method is one transaction of the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.models import DEFAULT_SPACE, KeptItem, NewItem
from memory.store.queries import load_queries

_SQL = load_queries("items")


@dataclass(frozen=True)
class EmbeddedItem:
    """A new memory with its vector, or without one where the embedder gave none."""

    item: NewItem
    embedding: Embedding | None
    embedding_model: str | None


class Items:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, user_id: str, new: EmbeddedItem) -> KeptItem:
        """Keeps a memory; one with the same words is counted as a repeat instead."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            item = new.item
            same = await connection.fetchval(_SQL["find_same"], user_id, item.space, item.content)
            if same is None:
                return await _insert(connection, user_id, new)
            row = await connection.fetchrow(
                _SQL["count_repeat"], user_id, same, item.manually_saved
            )
            return KeptItem(**dict(row or {}))

    async def save_all(self, user_id: str, items: Sequence[EmbeddedItem]) -> list[KeptItem]:
        """Keeps all of them, as they are, or none."""
        async with self._database.as_user(user_id) as connection:
            return [await _insert(connection, user_id, new) for new in items]

    async def list_recent(
        self, user_id: str, limit: int = 50, space: str = DEFAULT_SPACE
    ) -> list[KeptItem]:
        """What is remembered of the user, the newest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_recent"], user_id, space, limit)
        return [KeptItem(**dict(row)) for row in rows]

    async def count(self, user_id: str, space: str = DEFAULT_SPACE) -> int:
        async with self._database.as_user(user_id) as connection:
            return int(await connection.fetchval(_SQL["count"], user_id, space))

    async def delete(self, user_id: str, item_id: UUID) -> None:
        """Takes a memory out of every recall and drops its vector; the row stays for undo."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["delete"], user_id, item_id)

    async def supersede(self, user_id: str, item_id: UUID, by: UUID) -> None:
        """Marks a memory as replaced by another one of the same user."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["supersede"], user_id, item_id, by)


async def _insert(connection: Connection, user_id: str, new: EmbeddedItem) -> KeptItem:
    item = new.item
    row = await connection.fetchrow(
        _SQL["save"],
        user_id,
        item.content,
        item.type,
        item.space,
        item.bank,
        list(item.tags),
        item.importance,
        item.manually_saved,
        item.source_message_id,
        item.occurred_at,
        item.created_at,
        item.expires_at,
        None if new.embedding is None else HalfVector(new.embedding),
        new.embedding_model,
    )
    assert row is not None
    return KeptItem(**dict(row))
