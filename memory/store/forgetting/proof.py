"""What there is to be looked through for something that was forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.episode import Episode
from memory.errors import NotFound
from memory.store.episodes.redaction import episodes_of
from memory.store.forgetting.forgetting import History, Marks
from memory.store.queries import load_queries

BATCH = 500
_SQL = load_queries("forgetting/proof")


@dataclass(frozen=True)
class Grave:
    """A tombstone as it is read: what was removed, when, and by which marks it is known again."""

    item_id: UUID
    space: str
    marks: Marks
    history: History
    forgotten_at: datetime
    erase_after: datetime
    erased_at: datetime | None
    removed: Mapping[str, int]


@dataclass(frozen=True)
class StoredText:
    """A text that is still there, with its vector where one is stored."""

    text: str
    embedding: Embedding | None = None


class ProofStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read_grave(self, user_id: str, item_id: UUID) -> Grave:
        """Raises NotFound for what was never forgotten."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["tombstone"], user_id, item_id)
        if row is None:
            raise NotFound
        return Grave(
            item_id=row["item_id"],
            space=row["space"],
            marks=Marks(row["digest"], row["simhash"], row["sketch"]),
            history=row["history"],
            forgotten_at=row["created_at"],
            erase_after=row["erase_after"],
            erased_at=row["erased_at"],
            removed=json.loads(row["removed"]),
        )

    async def named(self, user_id: str, beginning: str) -> list[UUID]:
        """The forgotten memories whose ids begin so, at most two, the last forgotten first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["named"], user_id, beginning)
        return [row["item_id"] for row in rows]

    async def row_is_there(self, user_id: str, item_id: UUID) -> bool:
        async with self._database.as_user(user_id) as connection:
            return bool(await connection.fetchval(_SQL["row_is_there"], user_id, item_id))

    async def memories(self, user_id: str, space: str) -> AsyncIterator[list[StoredText]]:
        """All memories of a space but those that wait to be erased, in batches."""
        last = UUID(int=0)
        while True:
            async with self._database.as_user(user_id) as connection:
                rows = await connection.fetch(_SQL["other_memories"], user_id, last, BATCH, space)
            yield [
                StoredText(
                    row["content"],
                    None if row["embedding"] is None else row["embedding"].to_numpy(),
                )
                for row in rows
            ]
            if len(rows) < BATCH:
                return
            last = rows[-1]["id"]

    async def episodes(self, user_id: str, space: str) -> list[Episode]:
        """All episodes of a space."""
        async with self._database.as_user(user_id) as connection:
            return await episodes_of(connection, user_id, space)

    async def messages(self, user_id: str, space: str) -> AsyncIterator[list[str]]:
        """What was said in all conversations of a space, and their titles, in batches."""
        async with self._database.as_user(user_id) as connection:
            titles = await connection.fetch(_SQL["titles"], user_id, space)
        yield [row["title"] for row in titles]
        last = 0
        while True:
            async with self._database.as_user(user_id) as connection:
                rows = await connection.fetch(_SQL["messages"], user_id, last, BATCH, space)
            yield [row["content"] for row in rows]
            if len(rows) < BATCH:
                return
            last = rows[-1]["position"]
