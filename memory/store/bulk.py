"""Many memories at once. COPY is refused under row-level security, so this is one INSERT of
arrays, which the policy checks like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.store.queries import load_queries

_SQL = load_queries("bulk")


@dataclass(frozen=True)
class ReadyItem:
    """A fact with its vector; the id is the caller's, so that nothing has to be read back."""

    id: UUID
    content: str
    embedding: Embedding


class Bulk:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, user_id: str, items: Sequence[ReadyItem], model: str) -> None:
        """Keeps all of them or none; a few thousand are one statement's worth."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["load"],
                user_id,
                [item.id for item in items],
                [item.content for item in items],
                [HalfVector(item.embedding) for item in items],
                model,
            )
