"""The two ways to past messages (words, meaning), and the messages they found with those beside
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.models import DEFAULT_SPACE, Role
from memory.store.memories.search import KeywordHit, VectorHit
from memory.store.queries import load_queries

SPEAKERS: tuple[Role, ...] = ("user", "assistant")
_SQL = load_queries("conversations/message_search")


@dataclass(frozen=True)
class MessageScope:
    """Whose messages are searched, and which of them.

    `not_conversation` and `not_turn`, a correlation id, are left out; so is what was said after
    `until`, where it is given.
    """

    user_id: str
    space: str = DEFAULT_SPACE
    roles: tuple[Role, ...] = SPEAKERS
    not_conversation: UUID | None = None
    not_turn: UUID | None = None
    until: datetime | None = None

    @property
    def arguments(self) -> tuple[Any, ...]:
        """In the order in which the condition `found` takes them."""
        return (
            self.user_id,
            self.space,
            list(self.roles),
            self.not_conversation,
            self.not_turn,
            self.until,
        )


@dataclass(frozen=True)
class Neighbour:
    """The message before or after a found one, and its own cosine to the question."""

    id: UUID
    role: Role
    content: str
    cosine: float | None


@dataclass(frozen=True)
class MessageRow:
    """A message that was found. A cosine is None where it has no vector of these words or the
    question none; `rested_on` are the memories that a reply was given."""

    id: UUID
    conversation_id: UUID
    role: Role
    content: str
    created_at: datetime
    cosine: float | None
    before: Neighbour | None = None
    after: Neighbour | None = None
    rested_on: tuple[str, ...] = ()


class MessageSearch:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search_by_keyword(
        self, scope: MessageScope, query: str, pool: int
    ) -> list[KeywordHit]:
        """The `pool` messages with the highest BM25, best first."""
        _, space, roles, *left_out, _ = scope.arguments
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _SQL["search_by_keyword"], query, space, roles, *left_out, pool
            )
        return [KeywordHit(**dict(row)) for row in rows]

    async def search_by_vector(
        self, scope: MessageScope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        """The `pool` messages nearest by cosine, nearest first; exact."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _with_conditions(_SQL["search_by_vector"]),
                *scope.arguments,
                HalfVector(embedding),
                pool,
            )
        return [VectorHit(**dict(row)) for row in rows]

    async def read_candidates(
        self,
        scope: MessageScope,
        ids: Sequence[UUID],
        leading: Sequence[UUID],
        embedding: Embedding | None,
    ) -> list[MessageRow]:
        """The messages of these ids and those that followed the `leading` ones, in no order."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _with_conditions(_SQL["read_candidates"]),
                *scope.arguments,
                None if embedding is None else HalfVector(embedding),
                list(ids),
                list(leading),
            )
        return [_row(dict(row)) for row in rows]


def _with_conditions(statement: str) -> str:
    for name in ("found", "beside"):
        statement = statement.replace(f"{{{name}}}", _SQL[name])
    return statement


def _row(found: dict[str, Any]) -> MessageRow:
    return MessageRow(
        **{name: found[name] for name in ("id", "conversation_id", "role", "content")},
        created_at=found["created_at"],
        cosine=found["cosine"],
        before=_neighbour(found, "before"),
        after=_neighbour(found, "after"),
        rested_on=tuple(found["rested_on"]),
    )


def _neighbour(found: dict[str, Any], side: str) -> Neighbour | None:
    if found[f"{side}_id"] is None:
        return None
    return Neighbour(*(found[f"{side}_{name}"] for name in ("id", "role", "content", "cosine")))
