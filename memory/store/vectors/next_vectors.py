"""The vectors of the model that follows, beside those that are searched meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg
from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.store.queries import load_queries
from memory.store.vectors.embeddings import WORKER, Noun, Waiting

BEGINNING = ("", UUID(int=0))
SET_ASIDE = 500
# Rows that one statement looks at where all are looked at.
PAGE = 1_000
_SQL = load_queries("vectors/next_vectors")


@dataclass(frozen=True)
class Made:
    """How many rows of how many are done: they have their vector, or the model refused them."""

    made: int
    all_of_them: int


class NextVectors:
    """Over a database that acts as the worker, after the columns were added; see
    migrations/vector_swap.py."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, noun: Noun) -> Made:
        made = all_of_them = 0
        async for page in self._pages(f"count_{noun}"):
            made += page["made"]
            all_of_them += page["all_of_them"]
        return Made(made, all_of_them)

    async def waiting(self, noun: Noun, after: tuple[str, UUID], limit: int) -> list[Waiting]:
        """The next `limit` rows behind the key `after` that have none."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL[f"waiting_{noun}"], *after, limit)
        return [Waiting(**dict(row)) for row in rows]

    async def write(
        self, noun: Noun, rows: Sequence[Waiting], vectors: Sequence[Embedding], model: str
    ) -> int:
        """How many were written; what changed meanwhile was not."""
        return await self._write(noun, rows, vectors, model)

    async def refuse(self, noun: Noun, rows: Sequence[Waiting], model: str) -> int:
        """Keeps of `rows` that `model` takes none of them: its name, without a vector. How many."""
        return await self._write(noun, rows, [None] * len(rows), model)

    async def set_aside(self) -> None:
        """Marks the memories that are out of recall; see `set_aside_items`."""
        marked = SET_ASIDE
        while marked:
            async with self._database.as_user(WORKER) as connection:
                marked = _count(await connection.execute(_SQL["set_aside_items"], SET_ASIDE))

    async def mark_late(self, model: str) -> int:
        """Has the vectors made anew that are not of `model`; how many."""
        late = 0
        for noun in ("items", "messages"):
            async for page in self._pages(f"late_{noun}", model):
                late += page["late"]
        return late

    async def _pages(self, query: str, *given: str) -> AsyncIterator[asyncpg.Record]:
        """What the query says of each page of rows, in transactions of their own."""
        after: tuple[str, UUID] = BEGINNING
        while True:
            async with self._database.as_user(WORKER) as connection:
                page = await connection.fetchrow(_SQL[query], *given, *after, PAGE)
            if page is None:
                return
            yield page
            after = (page["user_id"], page["id"])

    async def _write(
        self, noun: Noun, rows: Sequence[Waiting], vectors: Sequence[Embedding | None], model: str
    ) -> int:
        async with self._database.as_user(WORKER) as connection:
            done = await connection.execute(
                _SQL[f"write_{noun}"],
                [row.user_id for row in rows],
                [row.id for row in rows],
                [None if vector is None else HalfVector(vector) for vector in vectors],
                model,
                [row.content for row in rows],
            )
        return _count(done)


def _count(status: str) -> int:
    """Of `UPDATE 12`."""
    return int(status.rsplit(" ", 1)[-1])
