"""The two legs of a recall, and the candidates they found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.models import DEFAULT_SPACE, ItemType, Role
from memory.store.queries import load_queries

_SQL = load_queries("search")


@dataclass(frozen=True)
class Scope:
    """Whose memories are searched, and which of them, as of when."""

    user_id: str
    now: datetime
    types: tuple[ItemType, ...] | None = None
    space: str = DEFAULT_SPACE
    banks: tuple[str, ...] | None = None
    roles: tuple[Role, ...] | None = None

    @property
    def filters(self) -> tuple[list[str] | None, ...]:
        """The wanted types, banks and roles; None wants all of them."""
        wanted = (self.types, self.banks, self.roles)
        return tuple(None if names is None else list(names) for names in wanted)


@dataclass(frozen=True)
class KeywordHit:
    """`bm25` in [0, 1) is the share of the best score this question could get; `coverage` in
    [0, 1] the share of its words, weighted by idf, that the memory holds."""

    id: UUID
    bm25: float
    coverage: float


@dataclass(frozen=True)
class VectorHit:
    id: UUID
    cosine: float


@dataclass(frozen=True)
class CandidateRow:
    """A memory that a leg found. A cosine is None where it has no vector or the question none;
    `nameless_cosine` is to the question without its names."""

    id: UUID
    content: str
    type: ItemType
    importance: float
    created_at: datetime
    source_message_id: UUID | None
    cosine: float | None
    nameless_cosine: float | None = None


class Search:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search_by_keyword(self, scope: Scope, query: str, pool: int) -> list[KeywordHit]:
        """The `pool` memories with the highest BM25, best first."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _SQL["search_by_keyword"], query, scope.space, *scope.filters, scope.now, pool
            )
        return [KeywordHit(**dict(row)) for row in rows]

    async def is_off(self, user_id: str, space: str) -> bool:
        """Whether the user switched memory off in the space."""
        async with self._database.as_user(user_id) as connection:
            return bool(await connection.fetchval(_SQL["is_off"], user_id, space))

    async def search_by_vector(
        self, scope: Scope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        """The `pool` memories nearest by cosine, nearest first; exact."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _SQL["search_by_vector"],
                scope.user_id,
                HalfVector(embedding),
                scope.space,
                scope.now,
                pool,
                *scope.filters,
            )
        return [VectorHit(**dict(row)) for row in rows]

    async def read_candidates(
        self,
        scope: Scope,
        ids: Sequence[UUID],
        embedding: Embedding | None,
        nameless: Embedding | None = None,
    ) -> list[CandidateRow]:
        """The memories of these ids that may still be recalled, in no order."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _SQL["read_candidates"],
                scope.user_id,
                list(ids),
                None if embedding is None else HalfVector(embedding),
                scope.now,
                None if nameless is None else HalfVector(nameless),
            )
        return [CandidateRow(**dict(row)) for row in rows]
