"""The vectors of rows: for which model they were made, which are missing, those of the next model,
and what indexes need not hold."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg
from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.store.audit import record_audit
from memory.store.database import Database, count_rows, load_queries
from memory.types import NO_USER, EmbeddingModel, EmbeddingProfile, MemoryType, Origin

_SQL = load_queries("vectors")


async def read_embedding_profile(database: Database) -> EmbeddingProfile:
    """Raises DatabaseUnavailable and SchemaOutdated."""
    async with database.as_user(NO_USER) as connection:
        row = await connection.fetchrow(_SQL["read"])
    assert row is not None
    following = row["next_model"]
    return EmbeddingProfile(
        EmbeddingModel(row["model"], row["dimensions"]),
        EmbeddingModel(following, row["next_dimensions"]) if following else None,
    )


EmbeddedTable = Literal["items", "messages"]


@dataclass(frozen=True)
class UnembeddedRow:
    user_id: str
    id: UUID
    content: str


class MissingVectorStore:
    """Rows that wait for their vector. For one user where the database acts as the application, for
    all as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(
        self, noun: EmbeddedTable, user_id: str | None, limit: int
    ) -> list[UnembeddedRow]:
        """At most `limit` rows without a vector, the oldest first; None asks for every user's."""
        async with self._database.as_user(user_id or NO_USER) as connection:
            rows = await connection.fetch(_SQL[f"waiting_{noun}"], user_id, limit)
        return [UnembeddedRow(**dict(row)) for row in rows]

    async def write(
        self,
        noun: EmbeddedTable,
        user_id: str | None,
        rows: Sequence[UnembeddedRow],
        vectors: Sequence[Embedding],
        model: str,
    ) -> list[float]:
        """Fills the vectors of `rows`; one that was filled, changed or removed meanwhile, or is
        being changed, is left alone. How many seconds each that was filled had waited."""
        return await self._write(noun, user_id, rows, vectors, model)

    async def set_aside(
        self, noun: EmbeddedTable, user_id: str | None, rows: Sequence[UnembeddedRow], model: str
    ) -> int:
        """Has `rows` wait no more, without a vector: the model refuses them. Its name is kept with
        them, so that what another model may take can be told from what needs no vector. How
        many."""
        return len(await self._write(noun, user_id, rows, [None] * len(rows), model))

    async def _write(
        self,
        noun: EmbeddedTable,
        user_id: str | None,
        rows: Sequence[UnembeddedRow],
        vectors: Sequence[Embedding | None],
        model: str,
    ) -> list[float]:
        async with self._database.as_user(user_id or NO_USER) as connection:
            filled = await connection.fetch(
                _SQL[f"write_{noun}"],
                [row.user_id for row in rows],
                [row.id for row in rows],
                [None if vector is None else HalfVector(vector) for vector in vectors],
                model,
                [row.content for row in rows],
            )
        return [row["waited"] for row in filled]


FIRST_KEY = ("", UUID(int=0))
SET_ASIDE_BATCH = 500
# Rows that one statement looks at where all are looked at.
ROWS_PER_PAGE = 1_000


@dataclass(frozen=True)
class ReembeddingProgress:
    """How many rows of how many are done: they have their vector, or the model refused them."""

    made: int
    all_of_them: int


class NextVectorStore:
    """The vectors of the model that follows, beside those that are searched meanwhile. Over a
    database that acts as the worker, after the columns were added; see
    migrations/vector_swap.py."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, noun: EmbeddedTable) -> ReembeddingProgress:
        made = all_of_them = 0
        async for page in self._pages(f"count_{noun}"):
            made += page["made"]
            all_of_them += page["all_of_them"]
        return ReembeddingProgress(made, all_of_them)

    async def waiting(
        self, noun: EmbeddedTable, after: tuple[str, UUID], limit: int
    ) -> list[UnembeddedRow]:
        """The next `limit` rows behind the key `after` that have none."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL[f"next_waiting_{noun}"], *after, limit)
        return [UnembeddedRow(**dict(row)) for row in rows]

    async def write(
        self,
        noun: EmbeddedTable,
        rows: Sequence[UnembeddedRow],
        vectors: Sequence[Embedding],
        model: str,
    ) -> int:
        """How many were written; what changed meanwhile was not."""
        return await self._write(noun, rows, vectors, model)

    async def refuse(self, noun: EmbeddedTable, rows: Sequence[UnembeddedRow], model: str) -> int:
        """Keeps of `rows` that `model` takes none of them: its name, without a vector. How many."""
        return await self._write(noun, rows, [None] * len(rows), model)

    async def set_aside(self) -> None:
        """Marks the memories that are out of recall; see `set_aside_items`."""
        marked = SET_ASIDE_BATCH
        while marked:
            async with self._database.as_user(NO_USER) as connection:
                marked = count_rows(
                    await connection.execute(_SQL["set_aside_items"], SET_ASIDE_BATCH)
                )

    async def mark_outdated(self, model: str) -> int:
        """Has the vectors made anew that are not of `model`; how many."""
        late = 0
        for noun in ("items", "messages"):
            async for page in self._pages(f"late_{noun}", model):
                late += page["late"]
        return late

    async def _pages(self, query: str, *given: str) -> AsyncIterator[asyncpg.Record]:
        """What the query says of each page of rows, in transactions of their own."""
        after: tuple[str, UUID] = FIRST_KEY
        while True:
            async with self._database.as_user(NO_USER) as connection:
                page = await connection.fetchrow(_SQL[query], *given, *after, ROWS_PER_PAGE)
            if page is None:
                return
            yield page
            after = (page["user_id"], page["id"])

    async def _write(
        self,
        noun: EmbeddedTable,
        rows: Sequence[UnembeddedRow],
        vectors: Sequence[Embedding | None],
        model: str,
    ) -> int:
        async with self._database.as_user(NO_USER) as connection:
            done = await connection.execute(
                _SQL[f"next_write_{noun}"],
                [row.user_id for row in rows],
                [row.id for row in rows],
                [None if vector is None else HalfVector(vector) for vector in vectors],
                model,
                [row.content for row in rows],
            )
        return count_rows(done)


class IndexStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune_vectors(
        self, user_id: str, removed_before: datetime, replaced_before: datetime, origin: Origin
    ) -> int:
        """Drops the vectors of what went out of recall or was replaced before then; how many."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(
                _SQL["prune_vectors"], user_id, removed_before, replaced_before
            )
            if count := count_rows(done):
                await record_audit(connection, user_id, "vectors_pruned", origin, count=count)
        return count

    async def level_keywords(self, user_id: str, since: datetime, *, all_levels: bool) -> int:
        """Leaves in the keyword index every memory, or else roll-ups, what the user asked to keep
        and what was learned `since`; how many were taken in or left out."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(_SQL["level_keywords"], user_id, since, all_levels)
        return count_rows(done)


@dataclass(frozen=True)
class UnfingerprintedMemory:
    id: UUID
    content: str
    type: MemoryType
    pinned: bool


@dataclass(frozen=True)
class FingerprintedMemory:
    id: UUID
    content: str
    simhash: int
    salience: float


class MissingFingerprintStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def unmarked(self, user_id: str, limit: int) -> list[UnfingerprintedMemory]:
        """At most `limit`, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["unmarked"], user_id, limit)
        return [UnfingerprintedMemory(**dict(row)) for row in rows]

    async def mark(self, user_id: str, rows: Sequence[FingerprintedMemory]) -> None:
        """Fills them; a memory that got other words meanwhile is left for the next time."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["mark"],
                user_id,
                [row.id for row in rows],
                [row.content for row in rows],
                [row.simhash for row in rows],
                [row.salience for row in rows],
            )
