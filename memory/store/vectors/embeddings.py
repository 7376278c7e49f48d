"""Rows that wait for their vector, and the vectors that fill them.

No lock is held while vectors are made, since no network call stands inside a
transaction: two workers may embed the same row, and the second write finds
nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.store.queries import load_queries

Noun = Literal["items", "messages"]
WORKER = "-"
_SQL = load_queries("vectors/embeddings")


@dataclass(frozen=True)
class Waiting:
    user_id: str
    id: UUID
    content: str


class Embeddings:
    """For one user where the database acts as the application, for all as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, noun: Noun, user_id: str | None, limit: int) -> list[Waiting]:
        """At most `limit` rows without a vector, the oldest first; None asks for every user's."""
        async with self._database.as_user(user_id or WORKER) as connection:
            rows = await connection.fetch(_SQL[f"waiting_{noun}"], user_id, limit)
        return [Waiting(**dict(row)) for row in rows]

    async def write(
        self,
        noun: Noun,
        user_id: str | None,
        rows: Sequence[Waiting],
        vectors: Sequence[Embedding],
        model: str,
    ) -> list[float]:
        """Fills the vectors of `rows`; one that was filled, changed or removed meanwhile, or is
        being changed, is left alone. How many seconds each that was filled had waited."""
        return await self._write(noun, user_id, rows, vectors, model)

    async def set_aside(
        self, noun: Noun, user_id: str | None, rows: Sequence[Waiting], model: str
    ) -> int:
        """Has `rows` wait no more, without a vector: the model refuses them. Its name is kept with
        them, so that what another model may take can be told from what needs no vector. How
        many."""
        return len(await self._write(noun, user_id, rows, [None] * len(rows), model))

    async def _write(
        self,
        noun: Noun,
        user_id: str | None,
        rows: Sequence[Waiting],
        vectors: Sequence[Embedding | None],
        model: str,
    ) -> list[float]:
        async with self._database.as_user(user_id or WORKER) as connection:
            filled = await connection.fetch(
                _SQL[f"write_{noun}"],
                [row.user_id for row in rows],
                [row.id for row in rows],
                [None if vector is None else HalfVector(vector) for vector in vectors],
                model,
                [row.content for row in rows],
            )
        return [row["waited"] for row in filled]
