"""The ways to candidates: memories by words, meaning and time, past messages by words and
meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.embeddings.protocol import Embedding
from memory.store.database import Database, load_queries
from memory.types import DEFAULT_BANK, DEFAULT_SPACE, MemoryType, Role

_SQL = load_queries("search")


@dataclass(frozen=True)
class SearchScope:
    """Whose memories are searched, and which of them, as of when.

    `past` also searches what was replaced since. `as_of` searches what was known at that moment,
    replaced since or not, whatever `past` says. What was forgotten, trimmed or has expired by `now`
    is never searched.
    """

    user_id: str
    now: datetime
    types: tuple[MemoryType, ...] | None = None
    space: str = DEFAULT_SPACE
    banks: tuple[str, ...] | None = None
    roles: tuple[Role, ...] | None = None
    past: bool = False
    as_of: datetime | None = None

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
class TimeHit:
    """`moment` is when it happened, or when it was learned where that was asked."""

    id: UUID
    moment: datetime


@dataclass(frozen=True)
class SearchCandidate:
    """A memory that was found. A cosine is None where it has no vector or the question none;
    `nameless_cosine` is to the question without its names. A `superseded` one was replaced at
    `valid_to`; those that it is `doubted_by` were told later and may have taken its place, which
    the user was asked and has not answered."""

    id: UUID
    content: str
    type: MemoryType
    importance: float
    created_at: datetime
    source_message_id: UUID | None
    cosine: float | None
    nameless_cosine: float | None = None
    occurred_at: datetime | None = None
    valid_to: datetime | None = None
    superseded: bool = False
    bank: str = DEFAULT_BANK
    role: Role = "user"
    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    pinned: bool = False
    salience: float = 0.0
    repeat_count: int = 0
    access_count: int = 0
    last_accessed_at: datetime | None = None
    manually_saved: bool = False
    doubted_by: tuple[UUID, ...] = ()

    @property
    def ever_held(self) -> bool:
        """False for one of which the user said that what it was to replace still holds."""
        return self.valid_to is None or self.valid_to >= self.created_at


class MemorySearch:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search_by_keyword(
        self, scope: SearchScope, query: str, pool: int
    ) -> list[KeywordHit]:
        """The `pool` memories with the highest BM25, best first. The words are as rare as they are
        among the memories that hold now, whatever else is searched."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _SQL["search_by_keyword"],
                query,
                scope.space,
                *scope.filters,
                scope.now,
                pool,
                scope.past,
                scope.as_of,
            )
        return [KeywordHit(**dict(row)) for row in rows]

    async def search_by_vector(
        self, scope: SearchScope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        """The `pool` memories nearest by cosine, nearest first; exact."""
        asked = (scope.user_id, embedding, scope.space, scope.now, pool, *scope.filters)
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(*_with_versions(scope, _SQL["search_by_vector"], *asked))
        return [VectorHit(**dict(row)) for row in rows]

    async def search_by_time(
        self,
        scope: SearchScope,
        start: datetime | None,
        end: datetime | None,
        pool: int,
        *,
        by_learning: bool = False,
    ) -> list[TimeHit]:
        """The `pool` memories that happened, or with `by_learning` were learned, from `start` up
        to, without, `end` (None is open), the nearest to `scope.now` first. A memory of which it is
        not known when it happened is not among the former."""
        moment = "created_at" if by_learning else "occurred_at"
        statement = _SQL["search_by_time"].replace("{moment}", moment)
        asked = (scope.user_id, scope.space, *scope.filters, start, end, scope.now, pool)
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(*_with_versions(scope, statement, *asked))
        return [TimeHit(**dict(row)) for row in rows]

    async def read_candidates(
        self,
        scope: SearchScope,
        ids: Sequence[UUID],
        embedding: Embedding | None,
        nameless: Embedding | None = None,
    ) -> list[SearchCandidate]:
        """The memories of these ids that may still be recalled, and those that they are doubted by,
        in no order."""
        asked = (scope.user_id, list(ids), embedding, scope.now, nameless, *scope.filters)
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(*_with_versions(scope, _SQL["read_candidates"], *asked))
        return [each for row in rows if (each := _candidate(dict(row))).ever_held]


def _with_versions(scope: SearchScope, statement: str, *arguments: Any) -> tuple[Any, ...]:
    """The statement with the condition for the versions that are searched, and its arguments.

    A text of its own for each, because the index of what holds now is a partial one, which a plan
    for every case could not use.
    """
    if scope.as_of is None:
        known = _SQL["known_ever"] if scope.past else _SQL["known_now"]
        return statement.replace("{known}", known), *arguments
    then = _SQL["known_then"].replace("{as_of}", f"${len(arguments) + 1}")
    return statement.replace("{known}", then), *arguments, scope.as_of


def _candidate(row: dict[str, Any]) -> SearchCandidate:
    lists = ("tags", "source_ids", "doubted_by")
    return SearchCandidate(**row | {name: tuple(row[name]) for name in lists})


class PairSimilarity:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def between(self, user_id: str, ids: Sequence[UUID]) -> dict[tuple[UUID, UUID], float]:
        """The cosine of each pair that has two vectors, by the lower id and the higher one."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["between"], user_id, list(ids))
        return {(row["one"], row["other"]): row["cosine"] for row in rows}


SPEAKERS: tuple[Role, ...] = ("user", "assistant")


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
class AdjacentMessage:
    """The message before or after a found one, and its own cosine to the question."""

    id: UUID
    role: Role
    content: str
    cosine: float | None


@dataclass(frozen=True)
class MessageCandidate:
    """A message that was found. A cosine is None where it has no vector of these words or the
    question none; `rested_on` are the memories that a reply was given."""

    id: UUID
    conversation_id: UUID
    role: Role
    content: str
    created_at: datetime
    cosine: float | None
    before: AdjacentMessage | None = None
    after: AdjacentMessage | None = None
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
                _SQL["search_messages_by_keyword"], query, space, roles, *left_out, pool
            )
        return [KeywordHit(**dict(row)) for row in rows]

    async def search_by_vector(
        self, scope: MessageScope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        """The `pool` messages nearest by cosine, nearest first; exact."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _with_conditions(_SQL["search_messages_by_vector"]),
                *scope.arguments,
                embedding,
                pool,
            )
        return [VectorHit(**dict(row)) for row in rows]

    async def read_candidates(
        self,
        scope: MessageScope,
        ids: Sequence[UUID],
        leading: Sequence[UUID],
        embedding: Embedding | None,
    ) -> list[MessageCandidate]:
        """The messages of these ids and those that followed the `leading` ones, in no order."""
        async with self._database.as_user(scope.user_id) as connection:
            rows = await connection.fetch(
                _with_conditions(_SQL["read_message_candidates"]),
                *scope.arguments,
                embedding,
                list(ids),
                list(leading),
            )
        return [_message_candidate(dict(row)) for row in rows]


def _with_conditions(statement: str) -> str:
    for name in ("found", "beside"):
        statement = statement.replace(f"{{{name}}}", _SQL[name])
    return statement


def _message_candidate(found: dict[str, Any]) -> MessageCandidate:
    return MessageCandidate(
        **{name: found[name] for name in ("id", "conversation_id", "role", "content")},
        created_at=found["created_at"],
        cosine=found["cosine"],
        before=_adjacent_message(found, "before"),
        after=_adjacent_message(found, "after"),
        rested_on=tuple(found["rested_on"]),
    )


def _adjacent_message(found: dict[str, Any], side: str) -> AdjacentMessage | None:
    if found[f"{side}_id"] is None:
        return None
    return AdjacentMessage(
        *(found[f"{side}_{name}"] for name in ("id", "role", "content", "cosine"))
    )
